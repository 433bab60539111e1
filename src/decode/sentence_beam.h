// The beam of one sentence: its live hypotheses, its finished ones, and when it is settled. Knows
// nothing of models or batches.
//
// Live and finished hypotheses share the places of the beam: each step extends the live ones to the
// best `places()` candidates; one that ends in </s> is finished and keeps its place, the others
// live on (Bahdanau et al. 2015). With one place that is greedy search, or a draw. A hypothesis
// that can't get among the n best any more, by Ranking::bound, is dropped at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/real.h"
#include "decode/constraints.h"
#include "decode/hypothesis.h"

namespace heed {

class SentenceBeam {
 public:
  // `source_tokens` without </s>. The translation begins with `prefix`.
  SentenceBeam(const SearchOptions& options, int64_t source_tokens,
               std::vector<TokenId> prefix = {});

  // A live hypothesis going on with a token.
  struct Candidate {
    double log_probability;  // of the whole hypothesis, the token included
    int32_t live;            // which one goes on
    TokenId token;
  };
  // What a live hypothesis is after a step.
  struct Live {
    int32_t node;    // its last token
    int32_t parent;  // index among the live ones of the step before
    double log_probability;
  };

  const std::vector<Live>& live() const { return live_; }
  TokenId last_token(size_t live) const;
  int64_t length() const { return length_; }  // tokens of each live hypothesis
  int64_t places() const { return options_.beam - static_cast<int64_t>(finished_.size()); }
  // The only token that may come next; nullopt: any but excluded().
  std::optional<TokenId> only() const { return constraints_.only(length_); }
  // The tokens that may not follow a live hypothesis, in ascending order.
  void excluded(size_t live, std::vector<TokenId>& out) const;
  int64_t columns() const { return columns_; }  // source tokens with </s>

  // The attention of the step that extends live hypothesis `live`: its first columns() elements
  // count. Before advance().
  void keep_attention(size_t live, std::span<const Real> weights);
  // One step on. Equal candidates rank by live hypothesis, then by token. The candidates
  // are used up.
  void advance(std::vector<Candidate>& candidates);

  // True if nothing that is still open can come among the n best.
  bool settled() const { return live_.empty(); }
  // Best first; equal scores in the order in which they were finished. After settled().
  std::vector<Hypothesis> nbest() const;

 private:
  // The tokens of all hypotheses as a tree: each points to the one before it.
  struct Node {
    int32_t before;  // -1: the first, <s>
    TokenId token;
    double log_probability;  // of the tokens up to here
    int64_t attention;       // where the weights of the step after it begin in weights_; -1: none
  };
  struct Finished {
    int32_t node;
    double log_probability, score;
    bool by_itself;
  };
  int32_t add_node(int32_t before, TokenId token, double log_probability);
  const Node& node(int32_t index) const { return nodes_[static_cast<size_t>(index)]; }
  std::vector<TokenId> tokens(int32_t node) const;
  // The weights of each step of a hypothesis that ends after this node.
  std::vector<std::span<const float>> attention(int32_t node) const;
  void drop_hopeless();
  void finish(int32_t node, double log_probability);
  Hypothesis read_back(const Finished& finished, bool with_attention) const;

  SearchOptions options_;
  Constraints constraints_;
  int64_t columns_;
  int64_t length_ = 0;
  std::vector<Node> nodes_;
  std::vector<float> weights_;
  std::vector<Live> live_;
  std::vector<Finished> finished_;  // best first
};

}  // namespace heed
