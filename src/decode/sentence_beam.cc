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

SentenceBeam::SentenceBeam(const SearchOptions& options, int64_t source_tokens)
    : options_(options), columns_(source_tokens + 1), limit_(length_limit(options, source_tokens)) {
  live_.push_back({add_node(-1, kStart), 0, 0.0});
}

int32_t SentenceBeam::add_node(int32_t before, TokenId token) {
  nodes_.push_back({before, token, -1});
  return static_cast<int32_t>(nodes_.size()) - 1;
}

TokenId SentenceBeam::last_token(size_t live) const {
  return nodes_[static_cast<size_t>(live_[live].node)].token;
}

void SentenceBeam::keep_attention(size_t live, const Real* weights) {
  nodes_[static_cast<size_t>(live_[live].node)].attention = static_cast<int64_t>(weights_.size());
  for (int64_t s = 0; s < columns_; ++s) weights_.push_back(static_cast<float>(weights[s]));
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
      next.push_back(
          {add_node(before, candidate->token), candidate->live, candidate->log_probability});
  }
  live_ = std::move(next);
  ++length_;
}

void SentenceBeam::finish(int32_t node, double log_probability) {
  const double score = normalised_score(log_probability, length_ + 1, options_.length_penalty);
  const Finished finished{node, log_probability, score, length_ < limit_};
  const auto place =
      std::upper_bound(finished_.begin(), finished_.end(), finished,
                       [](const Finished& a, const Finished& b) { return a.score > b.score; });
  finished_.insert(place, finished);
}

bool SentenceBeam::settled() const {
  if (live_.empty()) return true;
  if (static_cast<int64_t>(finished_.size()) < options_.nbest) return false;
  const double bound =
      normalised_score(live_[0].log_probability, limit_ + 1, options_.length_penalty);
  return finished_[static_cast<size_t>(options_.nbest) - 1].score >= bound;
}

Hypothesis SentenceBeam::read_back(const Finished& finished, bool with_attention) const {
  Hypothesis hypothesis;
  hypothesis.log_probability = finished.log_probability;
  hypothesis.score = finished.score;
  hypothesis.finished = finished.by_itself;
  for (int32_t at = finished.node; at >= 0; at = nodes_[static_cast<size_t>(at)].before) {
    const Node& node = nodes_[static_cast<size_t>(at)];
    if (node.before >= 0) hypothesis.ids.push_back(node.token);
    if (!with_attention || node.attention < 0) continue;
    const auto row = weights_.begin() + node.attention;
    hypothesis.attention.emplace_back(row, row + columns_);
  }
  std::reverse(hypothesis.ids.begin(), hypothesis.ids.end());
  std::reverse(hypothesis.attention.begin(), hypothesis.attention.end());
  return hypothesis;
}

std::vector<Hypothesis> SentenceBeam::nbest() const {
  std::vector<Hypothesis> best;
  const size_t count = std::min(finished_.size(), static_cast<size_t>(options_.nbest));
  for (size_t i = 0; i < count; ++i)
    best.push_back(read_back(finished_[i], options_.attention && i == 0));
  return best;
}

}  // namespace heed
