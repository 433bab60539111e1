#include "eval/bleu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

#include "base/error.h"
#include "eval/tokenizers.h"
#include "eval/words.h"

namespace heed {
namespace {

constexpr size_t kOrders = 4;
// An n-gram is its tokens joined by spaces, which no token contains.
using Ngrams = std::array<std::unordered_map<std::string, int64_t>, kOrders>;

Ngrams ngrams_of(const Words& tokens) {
  Ngrams ngrams;
  for (size_t begin = 0; begin < tokens.size(); ++begin) {
    std::string ngram;
    for (size_t n = 0; n < kOrders && begin + n < tokens.size(); ++n) {
      if (n > 0) ngram += ' ';
      ngram += tokens[begin + n];
      ++ngrams[n][ngram];
    }
  }
  return ngrams;
}

// Keeps the greatest count of each n-gram over the references.
void merge_greatest(Ngrams& into, const Ngrams& from) {
  for (size_t n = 0; n < kOrders; ++n) {
    for (const auto& [ngram, count] : from[n]) {
      int64_t& greatest = into[n][ngram];
      greatest = std::max(greatest, count);
    }
  }
}

bool nearer(int64_t length, int64_t a, int64_t b) {
  const int64_t to_a = std::abs(length - a);
  const int64_t to_b = std::abs(length - b);
  return to_a < to_b || (to_a == to_b && a < b);
}

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other) {
  hypothesis_length += other.hypothesis_length;
  reference_length += other.reference_length;
  for (size_t n = 0; n < kOrders; ++n) {
    matches[n] += other.matches[n];
    totals[n] += other.totals[n];
  }
  return *this;
}

Statistics bleu_statistics(const BleuCounts& counts) {
  Statistics statistics = {static_cast<double>(counts.hypothesis_length),
                           static_cast<double>(counts.reference_length)};
  for (const int64_t n : counts.matches) statistics.push_back(static_cast<double>(n));
  for (const int64_t n : counts.totals) statistics.push_back(static_cast<double>(n));
  return statistics;
}

BleuCounts bleu_counts(const Statistics& statistics) {
  const auto whole = [&statistics](size_t s) { return static_cast<int64_t>(statistics[s]); };
  BleuCounts counts;
  counts.hypothesis_length = whole(0);
  counts.reference_length = whole(1);
  for (size_t n = 0; n < kOrders; ++n) {
    counts.matches[n] = whole(2 + n);
    counts.totals[n] = whole(2 + kOrders + n);
  }
  return counts;
}

double BleuScore::ratio() const {
  if (counts.reference_length == 0) return 0.0;
  return static_cast<double>(counts.hypothesis_length) /
         static_cast<double>(counts.reference_length);
}

BleuCounts count_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                      const MetricOptions& options) {
  check(!references.empty(), "[count_bleu] at least one reference. Received none");
  const Words tokens = words_of(hypothesis, options);
  BleuCounts counts;
  counts.hypothesis_length = static_cast<int64_t>(tokens.size());
  Ngrams known;
  for (size_t r = 0; r < references.size(); ++r) {
    const Words reference = words_of(references[r], options);
    const auto length = static_cast<int64_t>(reference.size());
    if (r == 0 || nearer(counts.hypothesis_length, length, counts.reference_length))
      counts.reference_length = length;
    merge_greatest(known, ngrams_of(reference));
  }
  const Ngrams ngrams = ngrams_of(tokens);
  for (size_t n = 0; n < kOrders; ++n) {
    for (const auto& [ngram, count] : ngrams[n]) {
      counts.totals[n] += count;
      const auto found = known[n].find(ngram);
      if (found != known[n].end()) counts.matches[n] += std::min(count, found->second);
    }
  }
  return counts;
}

BleuScore bleu_from_counts(const BleuCounts& counts, bool effective_order) {
  BleuScore score;
  score.counts = counts;
  const auto h = static_cast<double>(counts.hypothesis_length);
  const auto r = static_cast<double>(counts.reference_length);
  score.brevity_penalty = h >= r ? 1.0 : h > 0 ? std::exp(1 - r / h) : 0.0;
  if (std::all_of(counts.matches.begin(), counts.matches.end(), [](int64_t m) { return m == 0; }))
    return score;
  double smoothing = 1.0;
  double log_sum = 0.0;
  size_t orders = 0;
  for (size_t n = 0; n < kOrders; ++n) {
    if (counts.totals[n] == 0) {  // no sentence is that long
      if (effective_order) break;
      return score;  // the geometric mean with this precision is 0
    }
    ++orders;
    const auto total = static_cast<double>(counts.totals[n]);
    if (counts.matches[n] == 0) {
      smoothing *= 2;
      score.precisions[n] = 100. / (smoothing * total);
    } else {
      score.precisions[n] = 100. * static_cast<double>(counts.matches[n]) / total;
    }
    log_sum += std::log(score.precisions[n]);
  }
  score.score = score.brevity_penalty * std::exp(log_sum / static_cast<double>(orders));
  return score;
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references,
                      const MetricOptions& options) {
  check(!references.empty(), "[corpus_bleu] at least one reference. Received none");
  for (const auto& reference : references) {
    check(reference.size() == hypotheses.size(),
          "[corpus_bleu] a reference line for each hypothesis. Received {} and {}",
          reference.size(), hypotheses.size());
  }
  metric_tokenizer(options.tokenize);  // reports an unknown tokenizer even if there are no lines
  BleuCounts counts;
  std::vector<std::string> of_line(references.size());
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    for (size_t r = 0; r < references.size(); ++r) of_line[r] = references[r][i];
    counts += count_bleu(hypotheses[i], of_line, options);
  }
  return bleu_from_counts(counts, options.effective_order);
}

std::string bleu_signature(const MetricOptions& options, size_t references) {
  return fmt::format("nrefs:{}|case:{}|eff:{}|tok:{}|smooth:exp|version:heed-{}", references,
                     options.lowercase ? "lc" : "mixed", options.effective_order ? "yes" : "no",
                     options.tokenize, HEED_VERSION);
}

std::string bleu_details(const BleuScore& score) {
  const auto& p = score.precisions;
  return fmt::format(
      "{:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})", p[0],
      p[1], p[2], p[3], score.brevity_penalty, score.ratio(), score.counts.hypothesis_length,
      score.counts.reference_length);
}

}  // namespace heed
