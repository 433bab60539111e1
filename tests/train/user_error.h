// The messages of errors, and files that provoke them.
#pragma once

#include <fstream>
#include <functional>
#include <string>

#include "base/error.h"

namespace heed::test {

// The message of the UserError that f throws; "(no error)" if it throws none.
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
