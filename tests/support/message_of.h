// The message of an exception that must be thrown.
#pragma once

#include <string>

#include "support/temp_dir.h"

namespace heed::test {

// what() of the Exception thrown by f; "(nothing thrown)", which no test expects, if
// it throws none.
template <typename Exception, typename F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Exception& error) {
    return error.what();
  }
  return "(nothing thrown)";
}

// As message_of(), with paths in `folder` shown relative to it.
template <typename Exception, typename F>
std::string message_of(const TempDir& folder, F&& f) {
  std::string text = message_of<Exception>(f);
  const std::string path = folder.path() + "/";
  for (size_t at; (at = text.find(path)) != std::string::npos;) text.erase(at, path.size());
  return text;
}

}  // namespace heed::test
