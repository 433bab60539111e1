#include "eval/link_range.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "eval/inputs.h"

namespace heed {
namespace {

int64_t count_words(const std::string& line) {
  int64_t words = 0;
  bool inside = false;
  for (const char c : line) {
    const bool space = c == ' ' || c == '\t';
    words += !space && !inside;
    inside = !space;
  }
  return words;
}

bool is_beyond(const Link& link, const PairLength& length) {
  return link.first >= length.source || link.second >= length.target;
}

std::vector<std::string> lines_of(const std::string& path, int64_t sentences) {
  TextInput text = read_text(path);
  const auto lines = static_cast<int64_t>(text.lines.size());
  if (lines != sentences)
    fail("{} has {} {}, the links have {}; they must match", path, lines,
         lines == 1 ? "line" : "lines", sentences);
  return std::move(text.lines);
}

}  // namespace

std::vector<PairLength> read_lengths(const std::string& source, const std::string& target,
                                     int64_t sentences) {
  const auto sources = lines_of(source, sentences);
  const auto targets = lines_of(target, sentences);
  std::vector<PairLength> lengths;
  for (size_t i = 0; i < sources.size(); ++i)
    lengths.push_back({count_words(sources[i]), count_words(targets[i])});
  return lengths;
}

int64_t count_beyond(const std::vector<Links>& links, const std::vector<PairLength>& lengths) {
  check(links.size() == lengths.size(), "[count_beyond] a length for each sentence. {} vs {}",
        lengths.size(), links.size());
  int64_t beyond = 0;
  for (size_t i = 0; i < links.size(); ++i)
    beyond += std::count_if(links[i].begin(), links[i].end(),
                            [&](const Link& link) { return is_beyond(link, lengths[i]); });
  return beyond;
}

int64_t drop_beyond(std::vector<GoldLinks>& gold, const std::vector<PairLength>& lengths) {
  check(gold.size() == lengths.size(), "[drop_beyond] a length for each sentence. {} vs {}",
        lengths.size(), gold.size());
  int64_t dropped = 0;
  for (size_t i = 0; i < gold.size(); ++i) {
    const auto beyond = [&](const Link& link) { return is_beyond(link, lengths[i]); };
    std::erase_if(gold[i].sure, beyond);
    dropped += static_cast<int64_t>(std::erase_if(gold[i].possible, beyond));
  }
  return dropped;
}

}  // namespace heed
