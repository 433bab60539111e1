// Base64 (RFC 4648, with padding): encodes bytes as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heed {

std::string base64_encode(std::string_view bytes);
// Returns nullopt if `text` is not valid base64: other characters, a length that is not a multiple
// of 4, or padding before the end.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace heed
