// Corpus BLEU (Papineni, Roukos, Ward, Zhu: "BLEU: a method for automatic evaluation of machine
// translation", ACL 2002), equal to sacreBLEU 2.x (Post: "A call for clarity in reporting BLEU
// scores", WMT 2018) to the last digit it prints.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "eval/metric_options.h"

namespace heed {

// The counts from which BLEU is computed, summed over sentences.
struct BleuCounts {
  int64_t hypothesis_length = 0;     // tokens
  int64_t reference_length = 0;      // of the reference nearest in length, the shorter one at a tie
  std::array<int64_t, 4> matches{};  // n-grams of order 1..4 found in a reference, clipped
  std::array<int64_t, 4> totals{};   // n-grams of the hypotheses

  BleuCounts& operator+=(const BleuCounts& other);
};

// Converts the counts to the statistics of a metric, in the order of the members, and back.
constexpr size_t kBleuStatistics = 10;
Statistics bleu_statistics(const BleuCounts& counts);
BleuCounts bleu_counts(const Statistics& statistics);

struct BleuScore {
  double score = 0.0;                  // 0 to 100
  std::array<double, 4> precisions{};  // 0 to 100, smoothed
  double brevity_penalty = 0.0;
  BleuCounts counts;

  double ratio() const;  // hypothesis length / reference length; 0 without reference tokens
};

// Counts one sentence against its references (at least one).
BleuCounts count_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                      const MetricOptions& options);

// BLEU = BP * exp(sum_n log(p_n) / 4) with BP = min(1, exp(1 - r / h)) (section 2.3), and "exp"
// smoothing: the k-th order without a match gets p_n = 100 / (2^k * totals_n). Without any match
// the score and precisions are 0. If the hypotheses have no n-gram of some order, the score is 0;
// with effective_order it is the mean over the lower orders.
BleuScore bleu_from_counts(const BleuCounts& counts, bool effective_order = false);

// references[r][i] is reference r of hypotheses[i]; lines have no line feeds. An empty line is a
// sentence without tokens. Throws UserError for an unknown tokenizer, InternalError if the line
// counts differ or there is no reference.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references,
                      const MetricOptions& options = {});

// Everything that the score
// depends on: "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:heed-0.1.0".
std::string bleu_signature(const MetricOptions& options, size_t references);

// As "67.1/43.2/30.0/21.3 (BP = 1.000 ratio = 1.001 hyp_len = 10917 ref_len = 10905)".
std::string bleu_details(const BleuScore& score);

}  // namespace heed
