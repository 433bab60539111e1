#include "eval/by_position.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "eval/bands.h"

namespace heed {
namespace {

constexpr int64_t kParts = 5;

using Counts = std::unordered_map<std::string, int64_t>;

Counts counts_of(const Words& words) {
  Counts counts;
  for (const std::string& word : words) ++counts[word];
  return counts;
}

}  // namespace

std::string PositionPart::name() const { return fmt::format("{}-{} %", from, to); }

std::optional<double> PositionPart::recall() const { return percentage(found, words); }

std::vector<PositionPart> words_by_position(const std::vector<Words>& hypotheses,
                                            const std::vector<Words>& references) {
  check(hypotheses.size() == references.size(),
        "[words_by_position] a reference for each hypothesis. Received {} and {}",
        references.size(), hypotheses.size());
  std::vector<PositionPart> parts;
  for (int64_t p = 0; p < kParts; ++p)
    parts.push_back({100 * p / kParts, 100 * (p + 1) / kParts, 0, 0});
  for (size_t s = 0; s < references.size(); ++s) {
    const Counts wanted = counts_of(references[s]);
    Counts given = counts_of(hypotheses[s]);
    const auto n = static_cast<int64_t>(references[s].size());
    for (int64_t i = 0; i < n; ++i) {
      const std::string& word = references[s][static_cast<size_t>(i)];
      const int64_t times = wanted.at(word);
      PositionPart& part = parts[static_cast<size_t>(kParts * (2 * i + 1) / (2 * n))];
      ++part.words;
      part.found += static_cast<double>(std::min(times, given[word])) / static_cast<double>(times);
    }
  }
  return parts;
}

std::string position_signature(const MetricOptions& options) {
  return fmt::format("{}|parts:{}|version:heed-{}", words_signature(options, 1), kParts,
                     HEED_VERSION);
}

}  // namespace heed
