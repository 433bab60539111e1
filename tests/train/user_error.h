// What a call throws to the user, for tests of messages; and files to provoke it.
#pragma once

#include <fstream>
#include <functional>
#include <string>

#include "base/error.h"

namespace heed::test {

// The message of the UserError that f throws; "(no error)" when it throws none.
inline std::string user_error(const std::function<void()>& f) {
  try {
    f();
  } catch (const UserError& error) {
    return error.what();
  }
  return "(no error)";
}

// Writes a file without syncing it, for tests that write thousands.
inline void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace heed::test
