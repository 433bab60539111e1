// The message of an exception that must be thrown.
#pragma once

#include <string>

#include "support/temp_dir.h"

namespace heed::test {

// what() of the Exception thrown by f; "(nothing thrown)" otherwise, which no expected message
// equals.
template <typename Exception, typename F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Exception& error) {
    return error.what();
  }
  return "(nothing thrown)";
}

// The same with the names of files in `folder` told from there.
template <typename Exception, typename F>
std::string message_of(const TempDir& folder, F&& f) {
  std::string text = message_of<Exception>(f);
  const std::string path = folder.path() + "/";
  for (size_t at; (at = text.find(path)) != std::string::npos;) text.erase(at, path.size());
  return text;
}

}  // namespace heed::test
