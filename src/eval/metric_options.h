// The options and statistics that metrics and counts of words share.
#pragma once

#include <string>
#include <vector>

namespace heed {

struct MetricOptions {
  std::string tokenize = "13a";  // BLEU: a name in eval/tokenizers.h
  bool lowercase = false;        // BLEU and chrF; TER always ignores case
  // BLEU: leaves out the orders of n-grams that are longer than the text, which otherwise make the
  // score 0. Meant for single sentences.
  bool effective_order = false;
};

using Statistics = std::vector<double>;  // always of the same size for one metric

}  // namespace heed
