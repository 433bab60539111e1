// Splits text at a separator.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace heed::test {

// The parts between separators, by default lines. A separator at the end adds no empty part.
inline std::vector<std::string> split(const std::string& text, char at = '\n') {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

}  // namespace heed::test
