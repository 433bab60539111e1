// Corpus BLEU (Papineni, Roukos, Ward, Zhu: "BLEU: a method for automatic evaluation of machine
// translation", ACL 2002), equal to sacreBLEU 2.x (Post: "A call for clarity in reporting BLEU
// scores", WMT 2018) to the last digit it prints.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "eval/metric.h"

namespace heed {

using BleuOptions = MetricOptions;

// What BLEU is computed from; sums over sentences.
struct BleuCounts {
  int64_t hypothesis_length = 0;     // tokens
  int64_t reference_length = 0;      // of the reference nearest in length, the shorter one at a tie
  std::array<int64_t, 4> matches{};  // n-grams of order 1..4 found in a reference, clipped
  std::array<int64_t, 4> totals{};   // n-grams of the hypotheses

  BleuCounts& operator+=(const BleuCounts& other);
};

// The counts as statistics of a metric, in the order of the members, and back.
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

// One sentence against its references (at least one).
BleuCounts count_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                      const BleuOptions& options);

// BLEU = BP * exp(sum_n log(p_n) / 4) with BP = min(1, exp(1 - r / h)) (eq. of section 2.3), and
// "exp" smoothing: the k-th order without a match gets p_n = 100 / (2^k * totals_n). Without any
// match the score and precisions are 0. Where an order has no n-gram in the hypotheses, the score
// is 0, or, with effective_order, the mean is that of the orders below.
BleuScore bleu_from_counts(const BleuCounts& counts, bool effective_order = false);

// references[r][i] is reference r of hypotheses[i]; lines without line feeds. An empty line is a
// sentence of no tokens. Throws UserError for an unknown tokenizer, InternalError where the line
// counts differ or there is no reference.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references,
                      const BleuOptions& options = {});

// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:heed-0.1.0": all that the figure depends
// on.
std::string bleu_signature(const BleuOptions& options, size_t references);

// "67.1/43.2/30.0/21.3 (BP = 1.000 ratio = 1.001 hyp_len = 10917 ref_len = 10905)".
std::string bleu_details(const BleuScore& score);

// "BLEU|SIGNATURE = 36.00 DETAILS".
std::string bleu_line(const BleuScore& score, const std::string& signature);

}  // namespace heed
