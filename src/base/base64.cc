#include "base/base64.h"

#include <array>
#include <cstdint>

namespace heed {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::array<int8_t, 256> make_values() {
  std::array<int8_t, 256> values{};
  values.fill(-1);
  for (size_t i = 0; i < kLetters.size(); ++i) {
    values[static_cast<unsigned char>(kLetters[i])] = static_cast<int8_t>(i);
  }
  return values;
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t word = 0;
    for (size_t k = 0; k < 3; ++k) {
      word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += k <= count ? kLetters[word >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
  static const std::array<int8_t, 256> values = make_values();
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    size_t letters = 4;
    if (i + 4 == text.size()) {
      while (letters > 2 && text[i + letters - 1] == '=') --letters;
    }
    uint32_t word = 0;
    for (size_t k = 0; k < 4; ++k) {
      const int value = k < letters ? values[static_cast<unsigned char>(text[i + k])] : 0;
      if (value < 0) return std::nullopt;
      word = word << 6 | static_cast<uint32_t>(value);
    }
    for (size_t k = 0; k + 1 < letters; ++k) {
      bytes += static_cast<char>(word >> (16 - 8 * k) & 255);
    }
  }
  return bytes;
}

}  // namespace heed
