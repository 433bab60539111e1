// general: q . (h Wk), Wk [D, Hd] (Luong et al. 2015, eq. 8). The keys are multiplied and not the
// queries, so there is one product per sentence.
#include "nn/attention/score.h"

namespace heed {
namespace {

class General : public Score {
 public:
  General(ParameterStore& store, const AttentionSizes& sizes)
      : key_(&store.add("attention.key", {sizes.state, sizes.query}, Init::glorot)) {}
  Var keys(Tape& tape, Var states) const override { return linear(tape, states, *key_, nullptr); }
  const Parameter* key_weight() const override { return key_; }
  AttendForm form() const override { return {kernels::ScoreKind::dot, 1, nullptr}; }

 private:
  const Parameter* key_;
};

}  // namespace

std::unique_ptr<Score> make_general(ParameterStore& store, const AttentionSizes& sizes) {
  return std::make_unique<General>(store, sizes);
}

}  // namespace heed
