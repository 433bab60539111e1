// additive: v . tanh(q Wq + h Wk + b) (Bahdanau et al. 2015, A.1.2).  concat: v . tanh([q; h] W)
// (Luong et al. 2015, eq. 8), with W kept as its two blocks Wq and Wk and without a bias.
#include "nn/attention/score.h"

namespace heed {
namespace {

class Additive : public Score {
 public:
  Additive(ParameterStore& store, const AttentionSizes& sizes, bool with_bias)
      : query_(&store.add("attention.query", {sizes.query, sizes.attention}, Init::glorot)),
        key_(&store.add("attention.key", {sizes.state, sizes.attention}, Init::glorot)),
        bias_(with_bias ? &store.add("attention.bias", {sizes.attention}, Init::zero) : nullptr),
        v_(&store.add("attention.v", {sizes.attention}, Init::embedding)) {}
  Var keys(Tape& tape, Var states) const override { return linear(tape, states, *key_, bias_); }
  const Parameter* key_weight() const override { return key_; }
  const Parameter* query_weight() const override { return query_; }
  AttendForm form() const override { return {kernels::ScoreKind::additive, 1, v_}; }

 private:
  const Parameter *query_, *key_, *bias_, *v_;
};

}  // namespace

std::unique_ptr<Score> make_additive(ParameterStore& store, const AttentionSizes& sizes) {
  return std::make_unique<Additive>(store, sizes, true);
}

std::unique_ptr<Score> make_concat(ParameterStore& store, const AttentionSizes& sizes) {
  return std::make_unique<Additive>(store, sizes, false);
}

}  // namespace heed
