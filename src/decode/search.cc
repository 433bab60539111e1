#include "decode/search.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/error.h"
#include "decode/columns.h"
#include "decode/sampler.h"
#include "decode/sentence_beam.h"
#include "tensor/arena.h"

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
        counts_(static_cast<size_t>(batch.B), 1),
        scratch_(models.device()) {
    for (size_t b = 0; b < counts_.size(); ++b) {
      const Request request = requests.empty() ? Request{} : requests[b];
      const uint64_t seed = options.sampling ? options.sampling->seed : 0;
      sentences_.push_back({SentenceBeam(options, batch.source_length[b] - 1, request.prefix),
                            Random(seed, request.stream), static_cast<int64_t>(b)});
    }
    previous_.assign(counts_.size(), kStart);
  }

  std::vector<std::vector<Hypothesis>> run() {
    while (!previous_.empty()) {
      const StepResult step = session_->step(previous_);
      if (options_.needs_attention() && !step.attention.empty()) keep_attention(step);
      advance(step);
      follow_hypotheses();
    }
    std::vector<std::vector<Hypothesis>> results;
    for (const Sentence& sentence : sentences_) results.push_back(sentence.beam.nbest());
    return results;
  }

 private:
  struct Sentence {
    SentenceBeam beam;
    Random random;
    int64_t first;  // its live hypotheses are rows `first`, first + 1, ...
  };

  int64_t row(size_t b, size_t live) const {
    return sentences_[b].first + static_cast<int64_t>(live);
  }

  // Calls f(SENTENCE, LIVE, ROW) for every live hypothesis, in the order of rows.
  template <typename F>
  void each_live(F f) {
    for (size_t b = 0; b < sentences_.size(); ++b)
      for (size_t live = 0; live < sentences_[b].beam.live().size(); ++live)
        f(b, live, row(b, live));
  }

  void keep_attention(const StepResult& step) {
    const HostView attention = step.attention_rows();
    each_live([&](size_t b, size_t live, int64_t r) {
      sentences_[b].beam.keep_attention(live, attention.row(r));
    });
  }

  void advance(const StepResult& step) {
    excluded_.resize(std::max(excluded_.size(), previous_.size()));
    each_live([this](size_t b, size_t live, int64_t r) {
      sentences_[b].beam.excluded(live, excluded_[static_cast<size_t>(r)]);
    });
    if (!options_.sampling) find_best(step);
    for (size_t b = 0; b < sentences_.size(); ++b) {
      SentenceBeam& beam = sentences_[b].beam;
      if (beam.settled()) continue;
      candidates_.clear();
      for (size_t live = 0; live < beam.live().size(); ++live) add_candidates(b, live, step);
      beam.advance(candidates_);
    }
  }

  // A sentence has at most `places` open beam slots and a row at most `most` excluded tokens, so
  // the top `places + most` entries of each row contain every usable candidate.
  void find_best(const StepResult& step) {
    size_t most = 0;
    int64_t places = 0;
    each_live([&](size_t b, size_t, int64_t r) {
      most = std::max(most, excluded_[static_cast<size_t>(r)].size());
      places = std::max(places, sentences_[b].beam.places());
    });
    const int64_t columns = step.log_probabilities.shape.last();
    best_ = step.top(std::min(columns, places + static_cast<int64_t>(most)), scratch_);
  }

  void add_candidates(size_t b, size_t live, const StepResult& step) {
    const int64_t r = row(b, live);
    const size_t before = candidates_.size();
    const auto add = [&](TokenId token) {
      add_candidate(b, live, token, step.at(r, columns_.column(b, token)));
    };
    if (const auto only = sentences_[b].beam.only()) return add(*only);
    if (options_.sampling)
      draw(b, live, step.rows().row(r));
    else
      add_best(b, live, r);
    if (candidates_.size() == before) add(kEnd);  // there is nothing that may come
  }

  bool may_come(int64_t r, TokenId token) const {
    const Tokens& excluded = excluded_[static_cast<size_t>(r)];
    return !std::binary_search(excluded.begin(), excluded.end(), token);
  }

  void add_best(size_t b, size_t live, int64_t r) {
    const auto k = static_cast<size_t>(best_.k), begin = static_cast<size_t>(r) * k;
    for (size_t i = begin; i < begin + k; ++i) {
      const auto token = columns_.token(b, best_.columns[i]);
      if (token && may_come(r, *token)) add_candidate(b, live, *token, best_.values[i]);
    }
  }

  void draw(size_t b, size_t live, std::span<const Real> log_probabilities) {
    options_of_row_.clear();
    for (size_t column = 0; column < log_probabilities.size(); ++column) {
      const auto token = columns_.token(b, static_cast<int32_t>(column));
      if (token && may_come(row(b, live), *token))
        options_of_row_.push_back({*token, static_cast<double>(log_probabilities[column])});
    }
    if (options_of_row_.empty()) return;
    const TokenOption drawn =
        draw_option(*options_.sampling, options_of_row_, sentences_[b].random);
    add_candidate(b, live, drawn.token, static_cast<Real>(drawn.log_probability));
  }

  void add_candidate(size_t b, size_t live, TokenId token, Real log_probability) {
    if (!std::isfinite(log_probability))
      fail(
          "the model gives numbers that are not finite (log p = {}): use another checkpoint or "
          "train again",
          log_probability);
    candidates_.push_back(
        {sentences_[b].beam.live()[live].log_probability + static_cast<double>(log_probability),
         static_cast<int32_t>(live), token});
  }

  // Gives each live hypothesis the state that it continues.
  void follow_hypotheses() {
    std::vector<int32_t> from;
    bool moved = false;
    previous_.clear();
    for (size_t b = 0; b < sentences_.size(); ++b) {
      const SentenceBeam& beam = sentences_[b].beam;
      const auto count = static_cast<int32_t>(beam.live().size());
      moved |= count != std::exchange(counts_[b], count);
      const int64_t before = std::exchange(sentences_[b].first, std::ssize(from));
      for (size_t live = 0; live < beam.live().size(); ++live) {
        const int64_t old = before + beam.live()[live].parent;
        moved |= old != std::ssize(from);
        from.push_back(static_cast<int32_t>(old));
        previous_.push_back(beam.last_token(live));
      }
    }
    if (moved && !from.empty()) session_->reorder(from, counts_);
  }

  const SearchOptions& options_;
  Columns columns_;
  std::unique_ptr<DecoderSession> session_;
  std::vector<Sentence> sentences_;
  std::vector<int32_t> counts_;  // rows per sentence
  Tokens previous_;              // [rows]
  // Of the present step:
  std::vector<Tokens> excluded_;  // per row: the tokens that may not come next
  Arena scratch_;
  TopColumns best_;
  std::vector<TokenOption> options_of_row_;
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
