#include "decode/search.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "decode/sentence_beam.h"
#include "tensor/arena.h"
#include "tensor/kernels/kernels.h"

namespace heed {
namespace {

constexpr int64_t kNeverProduced = 2;  // <unk> and <s>

// A shortlist for each sentence of the batch, or none.
std::vector<Shortlist> shortlists_of(const Batch& batch, const SearchOptions& options) {
  std::vector<Shortlist> shortlists;
  if (options.shortlister == nullptr) return shortlists;
  std::vector<TokenId> source;
  for (int64_t b = 0; b < batch.B; ++b) {
    source.clear();
    for (int64_t s = 0; s + 1 < batch.source_length[static_cast<size_t>(b)]; ++s)
      source.push_back(batch.source[static_cast<size_t>(s * batch.B + b)]);
    shortlists.push_back(options.shortlister->of(source));
  }
  return shortlists;
}

class BatchSearch {
 public:
  BatchSearch(Model& model, const Batch& batch, const SearchOptions& options)
      : options_(options),
        shortlists_(shortlists_of(batch, options)),
        session_(model.start(batch, shortlists_)),
        results_(static_cast<size_t>(batch.B)) {
    for (int64_t b = 0; b < batch.B; ++b) {
      beams_.emplace_back(options, batch.source_length[static_cast<size_t>(b)] - 1);
      sentence_.push_back(static_cast<size_t>(b));
    }
    previous_.assign(static_cast<size_t>(batch.B), kStart);
  }

  std::vector<std::vector<Hypothesis>> run() {
    while (!beams_.empty()) {
      const StepResult step = session_->step(previous_);
      if (options_.attention && !step.attention.empty()) keep_attention(step.attention);
      advance(step.log_probabilities);
      drop_settled();
      if (!beams_.empty()) go_on();
    }
    return std::move(results_);
  }

 private:
  int64_t sentences() const { return static_cast<int64_t>(beams_.size()); }
  int64_t row(int64_t live, int64_t b) const { return live * sentences() + b; }

  void keep_attention(const Tensor& attention) {  // [width * B, S]
    const int64_t S = attention.shape.last();
    for (int64_t b = 0; b < sentences(); ++b) {
      SentenceBeam& beam = beams_[static_cast<size_t>(b)];
      for (size_t j = 0; j < beam.live().size(); ++j)
        beam.keep_attention(j, attention.data + row(static_cast<int64_t>(j), b) * S);
    }
  }

  // No sentence can use more than its free places of the best tokens of a row, so the k best of
  // each row hold every candidate that counts. A column is a token, or its place in the sentence's
  // shortlist.
  void advance(const Tensor& log_probabilities) {  // [width * B, V]
    const int64_t rows = log_probabilities.shape[0], V = log_probabilities.shape[1];
    int64_t places = 0;
    for (const SentenceBeam& beam : beams_) places = std::max(places, beam.places());
    const int64_t k = std::min(V, places + kNeverProduced);
    scratch_.reset();
    const Tensor values = scratch_.tensor({rows, k});
    indices_.resize(static_cast<size_t>(rows * k));
    kernels::top_k(log_probabilities, k, values, indices_.data());
    for (int64_t b = 0; b < sentences(); ++b) {
      SentenceBeam& beam = beams_[static_cast<size_t>(b)];
      candidates_.clear();
      for (size_t j = 0; j < beam.live().size(); ++j) {
        const int64_t r = row(static_cast<int64_t>(j), b);
        if (beam.at_limit())
          add_candidate(beam, j, kEnd, log_probabilities.data[r * V + kEnd]);
        else
          for (int64_t i = r * k; i < (r + 1) * k; ++i)
            add_column(b, j, indices_[static_cast<size_t>(i)], values.data[i]);
      }
      beam.advance(candidates_);
    }
  }

  void add_column(int64_t b, size_t live, int32_t column, Real log_probability) {
    const SentenceBeam& beam = beams_[static_cast<size_t>(b)];
    if (shortlists_.empty()) return add_candidate(beam, live, column, log_probability);
    const Shortlist& shortlist = shortlists_[sentence_[static_cast<size_t>(b)]];
    if (static_cast<size_t>(column) < shortlist.size())
      add_candidate(beam, live, shortlist[static_cast<size_t>(column)], log_probability);
  }

  void add_candidate(const SentenceBeam& beam, size_t live, TokenId token, Real log_probability) {
    if (!std::isfinite(log_probability))
      fail(
          "the model gives numbers that are not finite (log p = {}): use another checkpoint or "
          "train again",
          log_probability);
    if (token == kUnknown || token == kStart) return;
    candidates_.push_back({beam.live()[live].log_probability + static_cast<double>(log_probability),
                           static_cast<int32_t>(live), token});
  }

  void drop_settled() {
    std::vector<int32_t> kept;
    for (size_t b = 0; b < beams_.size(); ++b) {
      if (beams_[b].settled()) {
        results_[sentence_[b]] = beams_[b].nbest();
        continue;
      }
      const size_t to = kept.size();
      kept.push_back(static_cast<int32_t>(b));
      if (to == b) continue;
      beams_[to] = std::move(beams_[b]);
      sentence_[to] = sentence_[b];
    }
    if (kept.size() == beams_.size()) return;
    beams_.erase(beams_.begin() + static_cast<std::ptrdiff_t>(kept.size()), beams_.end());
    sentence_.resize(kept.size());
    if (!kept.empty()) session_->keep(kept);
  }

  // Puts each live hypothesis behind the state it continues. Sentences with fewer live ones than
  // the widest repeat their first one; nobody looks at those rows.
  void go_on() {
    size_t width = 0;
    for (const SentenceBeam& beam : beams_) width = std::max(width, beam.live().size());
    std::vector<int32_t> from;
    previous_.clear();
    bool moved = static_cast<int64_t>(width) != session_->width();
    for (size_t j = 0; j < width; ++j)
      for (int64_t b = 0; b < sentences(); ++b) {
        const SentenceBeam& beam = beams_[static_cast<size_t>(b)];
        const size_t live = j < beam.live().size() ? j : 0;
        previous_.push_back(beam.last_token(live));
        const int64_t old = row(beam.live()[live].parent, b);
        moved = moved || old != static_cast<int64_t>(from.size());
        from.push_back(static_cast<int32_t>(old));
      }
    if (moved) session_->reorder(from);
  }

  const SearchOptions& options_;
  std::vector<Shortlist> shortlists_;  // of each sentence of the batch, or empty
  std::unique_ptr<DecoderSession> session_;
  std::vector<std::vector<Hypothesis>> results_;
  std::vector<SentenceBeam> beams_;  // of the sentences still in the session
  std::vector<size_t> sentence_;     // which sentence of the batch each of them is
  std::vector<TokenId> previous_;    // [width * B]
  Arena scratch_;
  std::vector<int32_t> indices_;
  std::vector<SentenceBeam::Candidate> candidates_;
};

}  // namespace

std::vector<std::vector<Hypothesis>> search(Model& model, const Batch& batch,
                                            const SearchOptions& options) {
  check(options.nbest >= 1 && options.nbest <= options.beam && options.length_penalty >= 0,
        "[search] 1 <= nbest <= beam and length_penalty >= 0. Received {}, {}, {}", options.nbest,
        options.beam, options.length_penalty);
  return BatchSearch(model, batch, options).run();
}

}  // namespace heed
