// Parts of a text.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace heed::test {

// What stands between the separators; nothing follows a last one. By default lines.
inline std::vector<std::string> split(const std::string& text, char at = '\n') {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

}  // namespace heed::test
