#include "decode/sentence_beam.h"

#include <algorithm>
#include <tuple>

namespace heed {
namespace {

bool better(const SentenceBeam::Candidate& a, const SentenceBeam::Candidate& b) {
  if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
  return std::tie(a.live, a.token) < std::tie(b.live, b.token);
}

}  // namespace

SentenceBeam::SentenceBeam(const SearchOptions& options, int64_t source_tokens,
                           std::vector<TokenId> prefix)
    : options_(options),
      constraints_(options.constraints, source_tokens, std::move(prefix)),
      columns_(source_tokens + 1) {
  live_.push_back({add_node(-1, kStart, 0.0), 0, 0.0});
}

int32_t SentenceBeam::add_node(int32_t before, TokenId token, double log_probability) {
  nodes_.push_back({before, token, log_probability, -1});
  return static_cast<int32_t>(nodes_.size()) - 1;
}

TokenId SentenceBeam::last_token(size_t live) const { return node(live_[live].node).token; }

std::vector<TokenId> SentenceBeam::tokens(int32_t at) const {
  std::vector<TokenId> tokens;
  for (; node(at).before >= 0; at = node(at).before) tokens.push_back(node(at).token);
  std::reverse(tokens.begin(), tokens.end());
  return tokens;
}

std::vector<std::span<const float>> SentenceBeam::attention(int32_t at) const {
  std::vector<std::span<const float>> rows;
  for (; at >= 0; at = node(at).before)
    if (node(at).attention >= 0)
      rows.emplace_back(weights_.data() + node(at).attention, static_cast<size_t>(columns_));
  std::reverse(rows.begin(), rows.end());
  return rows;
}

void SentenceBeam::excluded(size_t live, std::vector<TokenId>& out) const {
  constraints_.exclude(length_, out);
  if (constraints_.blocks_ngrams()) constraints_.exclude_repeated(tokens(live_[live].node), out);
}

void SentenceBeam::keep_attention(size_t live, std::span<const Real> weights) {
  nodes_[static_cast<size_t>(live_[live].node)].attention = static_cast<int64_t>(weights_.size());
  for (const Real weight : weights.first(static_cast<size_t>(columns_)))
    weights_.push_back(static_cast<float>(weight));
}

void SentenceBeam::advance(std::vector<Candidate>& candidates) {
  const size_t count = std::min(candidates.size(), static_cast<size_t>(places()));
  const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(candidates.begin(), end, candidates.end(), better);
  std::vector<Live> next;
  for (auto candidate = candidates.begin(); candidate != end; ++candidate) {
    const int32_t before = live_[static_cast<size_t>(candidate->live)].node;
    if (candidate->token == kEnd)
      finish(before, candidate->log_probability);
    else
      next.push_back({add_node(before, candidate->token, candidate->log_probability),
                      candidate->live, candidate->log_probability});
  }
  live_ = std::move(next);
  ++length_;
  drop_hopeless();
}

// Those below a hopeless one in the order of candidates are hopeless too, so none ever takes the
// place of one that is not.
void SentenceBeam::drop_hopeless() {
  if (std::ssize(finished_) < options_.nbest) return;
  const double worst = finished_[static_cast<size_t>(options_.nbest) - 1].score;
  std::erase_if(live_, [&](const Live& live) {
    return options_.ranking.bound(live.log_probability, length_ + 1, constraints_.most() + 1) <=
           worst;
  });
}

void SentenceBeam::finish(int32_t node, double log_probability) {
  const Ranking& ranking = options_.ranking;
  const double covered = ranking.coverage_penalty > 0 ? coverage(attention(node)) : 0;
  const double score = ranking.score(log_probability, length_ + 1, covered);
  const Finished finished{node, log_probability, score, length_ < constraints_.most()};
  const auto place =
      std::upper_bound(finished_.begin(), finished_.end(), finished,
                       [](const Finished& a, const Finished& b) { return a.score > b.score; });
  finished_.insert(place, finished);
}

Hypothesis SentenceBeam::read_back(const Finished& finished, bool with_attention) const {
  Hypothesis hypothesis;
  hypothesis.ids = tokens(finished.node);
  hypothesis.log_probability = finished.log_probability;
  hypothesis.score = finished.score;
  hypothesis.finished = finished.by_itself;
  double after = finished.log_probability;
  for (int32_t at = finished.node; at >= 0; at = node(at).before) {
    hypothesis.token_log_probabilities.push_back(after - node(at).log_probability);
    after = node(at).log_probability;
  }
  std::reverse(hypothesis.token_log_probabilities.begin(),
               hypothesis.token_log_probabilities.end());
  if (!with_attention) return hypothesis;
  for (const auto& row : attention(finished.node))
    hypothesis.attention.emplace_back(row.begin(), row.end());
  return hypothesis;
}

std::vector<Hypothesis> SentenceBeam::nbest() const {
  std::vector<Hypothesis> best;
  const size_t count = std::min(finished_.size(), static_cast<size_t>(options_.nbest));
  for (size_t i = 0; i < count; ++i)
    best.push_back(
        read_back(finished_[i], options_.attention && (i == 0 || options_.attention_of_all)));
  return best;
}

}  // namespace heed
