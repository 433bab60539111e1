// Words by how often they occur in the training text: does a model get frequent words right and
// rare ones wrong? What compare-mt (Neubig et al.: "compare-mt: a tool for holistic comparison of
// language generation systems", NAACL 2019 demonstrations) calls word accuracy by frequency bucket.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "eval/words.h"

namespace heed {

// How often words of a test set occur in a training text.
struct TrainingWords {
  std::unordered_map<std::string, int64_t> counts;  // of each word of the test set, 0 included
  int64_t total = 0;                                // words of the training text, with repetitions
};

// Counts the words of hypotheses and references in the files of the target side. Memory doesn't
// grow with the files. Throws UserError as LineReader does, and where a file has no word.
TrainingWords count_training_words(const std::vector<std::string>& files,
                                   const std::vector<Words>& hypotheses,
                                   const std::vector<Words>& references,
                                   const MetricOptions& options);

// Words whose count in the training text is from `least` to `most`, repetitions counted.
struct FrequencyBand {
  int64_t least = 0;
  int64_t most = -1;  // -1: no limit
  int64_t reference = 0, hypothesis = 0;
  int64_t matches = 0;  // in both of a sentence, clipped as BLEU's unigrams are

  std::string name() const;  // "0", "2-5", "1001+"
  // 0 to 100; nothing where there is no word to have a share of.
  std::optional<double> precision() const;  // matches / hypothesis
  std::optional<double> recall() const;     // matches / reference
  std::optional<double> f1() const;         // their harmonic mean
};

// Bands 0, 1, 2-5, 6-10, 11-100, 101-1000, 1001+, all of them. Requires a reference for each
// hypothesis and a count for each of their words.
std::vector<FrequencyBand> words_by_frequency(const std::vector<Words>& hypotheses,
                                              const std::vector<Words>& references,
                                              const TrainingWords& training);

// "nrefs:1|case:mixed|tok:13a|bands:0,1,2-5,...|train:345678|version:heed-0.1.0", with the words of
// the training text.
std::string frequency_signature(const MetricOptions& options, const TrainingWords& training);

}  // namespace heed
