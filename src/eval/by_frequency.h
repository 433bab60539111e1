// Accuracy of words by their frequency in the training text: are frequent words right and rare
// ones wrong? compare-mt (Neubig et al.: "compare-mt: a tool for holistic comparison of language
// generation systems", NAACL 2019 demonstrations) calls this word accuracy by frequency bucket.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "eval/words.h"

namespace heed {

// How often the words of a test set occur in a training text.
struct TrainingWords {
  std::unordered_map<std::string, int64_t> counts;  // of each word of the test set, even if 0
  int64_t total = 0;                                // words of the training text, with repetitions
};

// Counts the words of hypotheses and references in the target side of the training text. Memory
// does not grow with the size of the files. Throws UserError as LineReader does, and if a file
// has no words.
TrainingWords count_training_words(const std::vector<std::string>& files,
                                   const std::vector<Words>& hypotheses,
                                   const std::vector<Words>& references,
                                   const MetricOptions& options);

// Words whose count in the training text is from `least` to `most`. Repetitions count.
struct FrequencyBand {
  int64_t least = 0;
  int64_t most = -1;  // -1: no limit
  int64_t reference = 0, hypothesis = 0;
  int64_t matches = 0;  // words that both sides of a sentence have, clipped as BLEU's unigrams

  std::string name() const;  // "0", "2-5", "1001+"
  // From 0 to 100; nullopt if the denominator is 0.
  std::optional<double> precision() const;  // matches / hypothesis
  std::optional<double> recall() const;     // matches / reference
  std::optional<double> f1() const;         // their harmonic mean
};

// The bands are 0, 1, 2-5, 6-10, 11-100, 101-1000 and 1001+; all of them are returned. Requires a
// reference for each hypothesis and a count for each of their words.
std::vector<FrequencyBand> words_by_frequency(const std::vector<Words>& hypotheses,
                                              const std::vector<Words>& references,
                                              const TrainingWords& training);

// "nrefs:1|case:mixed|tok:13a|bands:0,1,2-5,...|train:345678|version:heed-0.1.0", where train is
// the number of words of the training text.
std::string frequency_signature(const MetricOptions& options, const TrainingWords& training);

}  // namespace heed
