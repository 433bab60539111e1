// Base64 (RFC 4648, with padding): bytes as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heed {

std::string base64_encode(std::string_view bytes);
// Nothing for text that is not base64 (other letters, a length that is no multiple of 4, padding
// not at the end).
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace heed
