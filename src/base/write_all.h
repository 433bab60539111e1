// Writing to a file descriptor with every error reported.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Writes all bytes. Throws UserError "NAME: cannot write: REASON" (a full disk, a closed pipe).
void write_all(int descriptor, std::string_view bytes, const std::string& name);

// The operating system's text for the error code `error`.
std::string error_text(int error);

}  // namespace heed
