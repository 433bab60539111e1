// Writing to a descriptor with every error told.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Writes all bytes. Throws UserError "NAME: cannot write: REASON" (a full disk, a closed pipe).
void write_all(int descriptor, std::string_view bytes, const std::string& name);

// The operating system's words for the error number `error`.
std::string error_text(int error);

}  // namespace heed
