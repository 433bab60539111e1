// Both halves of an iteration process one source piece after the other, with all of its pairs. The
// row of a piece is then indexed by target id, and no two pieces need to be searched for.
#include "text/lexicon.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"

namespace heed {
namespace {

constexpr int64_t kPiecesAChunk = 16;
// Pairs per chunk. There are few chunks, since each makes the rows of all its pieces anew.
constexpr int64_t kLeastPairsAChunk = 1024, kMostChunks = 64;

class Model1 {
 public:
  Model1(const Corpus& corpus, int64_t source_size, int64_t target_size, bool null)
      : corpus_(corpus),
        target_size_(static_cast<size_t>(target_size)),
        pairs_of_(static_cast<size_t>(source_size)),
        rows_(static_cast<size_t>(source_size)) {
    for (int64_t pair = 0; pair < corpus.size(); ++pair)
      for (const TokenId id : corpus.source(pair))
        pairs_of_[static_cast<size_t>(id)].push_back(static_cast<int32_t>(pair));
    if (null) {
      std::vector<int32_t>& all = pairs_of_[static_cast<size_t>(kNullSource)];
      all.resize(static_cast<size_t>(corpus.size()));
      std::iota(all.begin(), all.end(), 0);
    }
    const std::span<const TokenId> last = corpus.target(corpus.size() - 1);
    weights_.resize(static_cast<size_t>(last.data() + last.size() - corpus.target(0).data()));
    each_piece([this](size_t begin, size_t end) { start_rows(begin, end); });
  }

  void iterate() {
    const int64_t pairs = corpus_.size();
    const int64_t grain = std::max(kLeastPairsAChunk, (pairs + kMostChunks - 1) / kMostChunks);
    parallel_for(pairs, grain, [this](int64_t begin, int64_t end) { explain(begin, end); });
    each_piece([this](size_t begin, size_t end) { count(begin, end); });
  }

  std::vector<LexiconRow> take() { return std::move(rows_); }

 private:
  template <typename F>
  void each_piece(const F& f) {
    parallel_for(static_cast<int64_t>(rows_.size()), kPiecesAChunk,
                 [&f](int64_t begin, int64_t end) {
                   f(static_cast<size_t>(begin), static_cast<size_t>(end));
                 });
  }

  // The weights of a pair's target tokens.
  double* weights(int64_t pair) {
    return weights_.data() + (corpus_.target(pair).data() - corpus_.target(0).data());
  }

  // Any constant is a uniform start: the first iteration divides it out.
  void start_rows(size_t begin, size_t end) {
    std::vector<bool> seen(target_size_);
    for (size_t piece = begin; piece < end; ++piece) {
      std::vector<TokenId>& targets = rows_[piece].targets;
      for (const int32_t pair : pairs_of_[piece])
        for (const TokenId target : corpus_.target(pair)) {
          if (seen[static_cast<size_t>(target)]) continue;
          seen[static_cast<size_t>(target)] = true;
          targets.push_back(target);
        }
      std::sort(targets.begin(), targets.end());
      targets.shrink_to_fit();
      for (const TokenId target : targets) seen[static_cast<size_t>(target)] = false;
      rows_[piece].probabilities.assign(targets.size(), 1.0);
    }
  }

  // weight = 1 / sum_i p(t | s_i) for each target token of these pairs.
  void explain(int64_t begin, int64_t end) {
    double* const first = weights(begin);
    double* const last = weights(end - 1) + corpus_.target(end - 1).size();
    std::fill(first, last, 0.0);
    std::vector<double> probability(target_size_);
    for (size_t piece = 0; piece < rows_.size(); ++piece) {
      const std::vector<int32_t>& all = pairs_of_[piece];
      auto pair = std::lower_bound(all.begin(), all.end(), begin);
      if (pair == all.end() || *pair >= end) continue;
      lay_out(rows_[piece], probability);
      for (; pair != all.end() && *pair < end; ++pair) {
        double* weight = weights(*pair);
        for (const TokenId target : corpus_.target(*pair))
          *weight++ += probability[static_cast<size_t>(target)];
      }
    }
    std::transform(first, last, first, [](double sum) { return 1 / sum; });
  }

  static void lay_out(const LexiconRow& row, std::vector<double>& probability) {
    for (size_t i = 0; i < row.targets.size(); ++i)
      probability[static_cast<size_t>(row.targets[i])] = row.probabilities[i];
  }

  // Computes the counts of these pieces and, from them, their probabilities.
  void count(size_t begin, size_t end) {
    std::vector<double> sum(target_size_);
    for (size_t piece = begin; piece < end; ++piece) {
      LexiconRow& row = rows_[piece];
      for (const TokenId target : row.targets) sum[static_cast<size_t>(target)] = 0;
      for (const int32_t pair : pairs_of_[piece]) {
        const double* weight = weights(pair);
        for (const TokenId target : corpus_.target(pair))
          sum[static_cast<size_t>(target)] += *weight++;
      }
      double total = 0;
      for (size_t i = 0; i < row.targets.size(); ++i)
        total += row.probabilities[i] *= sum[static_cast<size_t>(row.targets[i])];
      for (double& probability : row.probabilities) probability /= total;
    }
  }

  const Corpus& corpus_;
  size_t target_size_;
  std::vector<std::vector<int32_t>> pairs_of_;  // of each source piece, one entry per occurrence
  std::vector<LexiconRow> rows_;
  std::vector<double> weights_;  // of all target tokens
};

}  // namespace

std::vector<LexiconRow> train_lexicon(const Corpus& corpus, int64_t source_size,
                                      int64_t target_size, const LexiconOptions& options) {
  check(corpus.size() > 0 && corpus.size() <= INT32_MAX,
        "[train_lexicon] 1 to 2^31 - 1 pairs. Received {}", corpus.size());
  Model1 model(corpus, source_size, target_size, options.null);
  for (int i = 0; i < options.iterations; ++i) model.iterate();
  return model.take();
}

}  // namespace heed
