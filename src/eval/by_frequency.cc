#include "eval/by_frequency.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/files.h"
#include "eval/bands.h"

namespace heed {
namespace {

// upper ends of the bands; the last band has no limit
constexpr int64_t kMost[] = {0, 1, 5, 10, 100, 1000};
constexpr size_t kWindow = 10'000;  // lines of training text in memory at a time

std::vector<FrequencyBand> empty_bands() {
  std::vector<FrequencyBand> bands;
  int64_t least = 0;
  for (const int64_t most : kMost) {
    bands.push_back({least, most, 0, 0, 0});
    least = most + 1;
  }
  bands.push_back({least, -1, 0, 0, 0});
  return bands;
}

size_t band_of(int64_t count) {
  const auto* found = std::lower_bound(std::begin(kMost), std::end(kMost), count);
  return static_cast<size_t>(found - std::begin(kMost));
}

// Adds the counts of the wanted words in these lines.
void count_lines(const std::vector<std::string>& lines, const MetricOptions& options,
                 TrainingWords& training) {
  for (const Words& words : words_of_lines(lines, options)) {
    training.total += static_cast<int64_t>(words.size());
    for (const std::string& word : words) {
      const auto wanted = training.counts.find(word);
      if (wanted != training.counts.end()) ++wanted->second;
    }
  }
}

}  // namespace

TrainingWords count_training_words(const std::vector<std::string>& files,
                                   const std::vector<Words>& hypotheses,
                                   const std::vector<Words>& references,
                                   const MetricOptions& options) {
  TrainingWords training;
  for (const auto* side : {&hypotheses, &references})
    for (const Words& words : *side)
      for (const std::string& word : words) training.counts[word] = 0;
  for (const std::string& file : files) {
    const int64_t before = training.total;
    LineReader reader(file);
    std::vector<std::string> window;
    for (std::string line; reader.next(line);) {
      window.push_back(line);
      if (window.size() < kWindow) continue;
      count_lines(window, options, training);
      window.clear();
    }
    count_lines(window, options, training);
    if (training.total == before) fail("{} has no words: it must be the training text", file);
  }
  return training;
}

std::string FrequencyBand::name() const { return band_name(least, most); }

std::optional<double> FrequencyBand::precision() const {
  return percentage(static_cast<double>(matches), hypothesis);
}

std::optional<double> FrequencyBand::recall() const {
  return percentage(static_cast<double>(matches), reference);
}

// 2 P R / (P + R) with P = m / h and R = m / r.
std::optional<double> FrequencyBand::f1() const {
  return percentage(2 * static_cast<double>(matches), hypothesis + reference);
}

std::vector<FrequencyBand> words_by_frequency(const std::vector<Words>& hypotheses,
                                              const std::vector<Words>& references,
                                              const TrainingWords& training) {
  check(hypotheses.size() == references.size(),
        "[words_by_frequency] a reference for each hypothesis. Received {} and {}",
        references.size(), hypotheses.size());
  std::vector<FrequencyBand> bands = empty_bands();
  const auto band = [&](const std::string& word) -> FrequencyBand& {
    return bands[band_of(training.counts.at(word))];
  };
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    std::unordered_map<std::string, int64_t> open;  // words of the reference not matched yet
    for (const std::string& word : references[i]) {
      ++band(word).reference;
      ++open[word];
    }
    for (const std::string& word : hypotheses[i]) {
      ++band(word).hypothesis;
      const auto found = open.find(word);
      if (found == open.end() || found->second == 0) continue;
      --found->second;
      ++band(word).matches;
    }
  }
  return bands;
}

std::string frequency_signature(const MetricOptions& options, const TrainingWords& training) {
  std::vector<std::string> names;
  for (const FrequencyBand& band : empty_bands()) names.push_back(band.name());
  return fmt::format("{}|bands:{}|train:{}|version:heed-{}", words_signature(options, 1),
                     fmt::join(names, ","), training.total, HEED_VERSION);
}

}  // namespace heed
