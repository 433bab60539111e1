// The three kinds of failure. Libraries throw; only cli turns them into a message and an exit code.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace heed {

// An error that the user can correct. Its message is one line that names the file, line, key or
// option and says what to do. Exit code 1.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A command line that does not fit the verb: an unknown option, a missing argument. Exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A mistake in heed's own code, such as a wrong shape: "[function] rule. Received ...".
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Throws UserError with the formatted message.
template <typename... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw UserError(fmt::format(format, std::forward<Args>(args)...));
}

// Throws InternalError with the formatted message if `condition` is false.
template <typename... Args>
void check(bool condition, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition) throw InternalError(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace heed
