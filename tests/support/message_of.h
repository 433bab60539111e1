// The message of an exception that must be thrown.
#pragma once

#include <string>

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

}  // namespace heed::test
