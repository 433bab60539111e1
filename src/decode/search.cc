#include "decode/search.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "decode/columns.h"
#include "decode/sampler.h"
#include "decode/sentence_beam.h"
#include "tensor/arena.h"
#include "tensor/kernels/kernels.h"

namespace heed {
namespace {

using Tokens = std::vector<TokenId>;

class BatchSearch {
 public:
  BatchSearch(const Ensemble& models, const Batch& batch, const SearchOptions& options,
              std::span<const Request> requests)
      : options_(options),
        columns_(batch, options.shortlister, requests),
        session_(models.start(batch, columns_.shortlists())),
        results_(static_cast<size_t>(batch.B)) {
    for (size_t b = 0; b < results_.size(); ++b) {
      const Request request = requests.empty() ? Request{} : requests[b];
      const uint64_t seed = options.sampling ? options.sampling->seed : 0;
      searched_.push_back({SentenceBeam(options, batch.source_length[b] - 1, request.prefix), b,
                           Random(seed, request.stream)});
    }
    previous_.assign(results_.size(), kStart);
  }

  std::vector<std::vector<Hypothesis>> run() {
    while (!searched_.empty()) {
      const StepResult step = session_->step(previous_);
      if (options_.needs_attention() && !step.attention.empty()) keep_attention(step.attention);
      advance(step.log_probabilities);
      drop_settled();
      if (!searched_.empty()) go_on();
    }
    return std::move(results_);
  }

 private:
  // A sentence that is still in the session.
  struct Searched {
    SentenceBeam beam;
    size_t sentence;  // of the batch
    Random random;
  };

  int64_t sentences() const { return std::ssize(searched_); }
  int64_t row(size_t live, size_t b) const {
    return static_cast<int64_t>(live) * sentences() + static_cast<int64_t>(b);
  }

  // Calls f(SENTENCE, LIVE, ROW) for every live hypothesis.
  template <typename F>
  void each_live(F f) {
    for (size_t b = 0; b < searched_.size(); ++b)
      for (size_t live = 0; live < searched_[b].beam.live().size(); ++live)
        f(b, live, row(live, b));
  }

  void keep_attention(const Tensor& attention) {  // [width * B, S]
    const int64_t S = attention.shape.last();
    each_live([&](size_t b, size_t live, int64_t r) {
      searched_[b].beam.keep_attention(live, attention.data + r * S);
    });
  }

  void advance(const Tensor& log_probabilities) {  // [width * B, V]
    const int64_t rows = log_probabilities.shape[0];
    excluded_.resize(std::max(excluded_.size(), static_cast<size_t>(rows)));
    each_live([this](size_t b, size_t live, int64_t r) {
      searched_[b].beam.excluded(live, excluded_[static_cast<size_t>(r)]);
    });
    if (!options_.sampling) find_best(log_probabilities);
    for (size_t b = 0; b < searched_.size(); ++b) {
      SentenceBeam& beam = searched_[b].beam;
      candidates_.clear();
      for (size_t live = 0; live < beam.live().size(); ++live)
        add_candidates(b, live, log_probabilities);
      beam.advance(candidates_);
    }
  }

  // No sentence can use more than its free places of the tokens that may come, so the so many best
  // of each row and as many more as may not come hold every candidate that counts.
  void find_best(const Tensor& log_probabilities) {
    size_t most = 0;
    int64_t places = 0;
    each_live([&](size_t b, size_t, int64_t r) {
      most = std::max(most, excluded_[static_cast<size_t>(r)].size());
      places = std::max(places, searched_[b].beam.places());
    });
    const int64_t rows = log_probabilities.shape[0];
    const int64_t k = std::min(log_probabilities.shape.last(), places + static_cast<int64_t>(most));
    scratch_.reset();
    best_ = scratch_.tensor({rows, k});
    best_columns_.resize(static_cast<size_t>(rows * k));
    kernels::top_k(log_probabilities, k, best_, best_columns_.data());
  }

  void add_candidates(size_t b, size_t live, const Tensor& log_probabilities) {
    const int64_t r = row(live, b), V = log_probabilities.shape.last();
    const Real* of_row = log_probabilities.data + r * V;
    const size_t sentence = searched_[b].sentence, before = candidates_.size();
    const auto add = [&](TokenId token) {
      add_candidate(b, live, token, of_row[columns_.column(sentence, token)]);
    };
    if (const auto only = searched_[b].beam.only()) return add(*only);
    if (options_.sampling)
      draw(b, live, of_row, V);
    else
      add_best(b, live, r);
    if (candidates_.size() == before) add(kEnd);  // there is nothing that may come
  }

  bool may_come(int64_t r, TokenId token) const {
    const Tokens& excluded = excluded_[static_cast<size_t>(r)];
    return !std::binary_search(excluded.begin(), excluded.end(), token);
  }

  void add_best(size_t b, size_t live, int64_t r) {
    const int64_t k = best_.shape.last();
    for (int64_t i = r * k; i < (r + 1) * k; ++i) {
      const int32_t column = best_columns_[static_cast<size_t>(i)];
      const auto token = columns_.token(searched_[b].sentence, column);
      if (token && may_come(r, *token)) add_candidate(b, live, *token, best_.data[i]);
    }
  }

  void draw(size_t b, size_t live, const Real* log_probabilities, int64_t V) {
    options_of_row_.clear();
    for (int32_t column = 0; column < V; ++column) {
      const auto token = columns_.token(searched_[b].sentence, column);
      if (token && may_come(row(live, b), *token))
        options_of_row_.push_back({*token, static_cast<double>(log_probabilities[column])});
    }
    if (options_of_row_.empty()) return;
    const Sampler::Option drawn =
        Sampler(*options_.sampling).draw(options_of_row_, searched_[b].random);
    add_candidate(b, live, drawn.token, static_cast<Real>(drawn.log_probability));
  }

  void add_candidate(size_t b, size_t live, TokenId token, Real log_probability) {
    if (!std::isfinite(log_probability))
      fail(
          "the model gives numbers that are not finite (log p = {}): use another checkpoint or "
          "train again",
          log_probability);
    candidates_.push_back(
        {searched_[b].beam.live()[live].log_probability + static_cast<double>(log_probability),
         static_cast<int32_t>(live), token});
  }

  void drop_settled() {
    std::vector<int32_t> kept;
    for (size_t b = 0; b < searched_.size(); ++b) {
      if (searched_[b].beam.settled()) {
        results_[searched_[b].sentence] = searched_[b].beam.nbest();
        continue;
      }
      const size_t to = kept.size();
      kept.push_back(static_cast<int32_t>(b));
      if (to != b) searched_[to] = std::move(searched_[b]);
    }
    if (kept.size() == searched_.size()) return;
    searched_.erase(searched_.begin() + std::ssize(kept), searched_.end());
    if (!kept.empty()) session_->keep(kept);
  }

  // Puts each live hypothesis behind the state it continues. Sentences with fewer live ones than
  // the widest repeat their first one; nobody looks at those rows.
  void go_on() {
    size_t width = 0;
    for (const Searched& one : searched_) width = std::max(width, one.beam.live().size());
    std::vector<int32_t> from;
    previous_.clear();
    bool moved = static_cast<int64_t>(width) != session_->width();
    for (size_t j = 0; j < width; ++j)
      for (size_t b = 0; b < searched_.size(); ++b) {
        const SentenceBeam& beam = searched_[b].beam;
        const size_t live = j < beam.live().size() ? j : 0;
        previous_.push_back(beam.last_token(live));
        const int64_t old = row(static_cast<size_t>(beam.live()[live].parent), b);
        moved = moved || old != std::ssize(from);
        from.push_back(static_cast<int32_t>(old));
      }
    if (moved) session_->reorder(from);
  }

  const SearchOptions& options_;
  Columns columns_;
  std::unique_ptr<DecoderSession> session_;
  std::vector<std::vector<Hypothesis>> results_;
  std::vector<Searched> searched_;
  Tokens previous_;  // [width * B]
  // Of the present step:
  std::vector<Tokens> excluded_;  // the tokens that may not come, of each row
  Arena scratch_;
  Tensor best_;  // [width * B, k]
  std::vector<int32_t> best_columns_;
  std::vector<Sampler::Option> options_of_row_;
  std::vector<SentenceBeam::Candidate> candidates_;
};

}  // namespace

std::vector<std::vector<Hypothesis>> search(const Ensemble& models, const Batch& batch,
                                            const SearchOptions& options,
                                            std::span<const Request> requests) {
  check(options.nbest >= 1 && options.nbest <= options.beam,
        "[search] 1 <= nbest <= beam. Received {}, {}", options.nbest, options.beam);
  check(!options.sampling || options.beam == 1, "[search] a sentence is drawn once. Received {}",
        options.beam);
  check(requests.empty() || std::ssize(requests) == batch.B,
        "[search] a request for each sentence, or none. Received {} for {}", requests.size(),
        batch.B);
  return BatchSearch(models, batch, options, requests).run();
}

}  // namespace heed
