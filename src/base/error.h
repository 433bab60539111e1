// The three kinds of failure. Libraries throw; only cli turns them into a message and an exit code.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace heed {

// Something a user can mend: one line naming the file, line, key or option, and what to do. Exit 1.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A command line that doesn't fit the verb: unknown option, missing argument. Exit 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A mistake in heed's own code, as a shape that doesn't fit: "[function] rule. Received ...".
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Throws UserError with the formatted message.
template <typename... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw UserError(fmt::format(format, std::forward<Args>(args)...));
}

// Throws InternalError with the formatted message unless `condition` holds.
template <typename... Args>
void check(bool condition, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition) throw InternalError(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace heed
