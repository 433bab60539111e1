// general: q . (h Wk), Wk [D, Hd] (Luong et al. 2015, eq. 8). The product is with the keys, so once
// a sentence.
#include "nn/attention/attention.h"

namespace heed {
namespace {

class General : public Attention {
 public:
  General(ParameterStore& store, const AttentionSizes& sizes)
      : key_(&store.add("attention.key", {sizes.state, sizes.query}, Init::glorot)) {}
  Var keys(Tape& tape, Var states) const override { return linear(tape, states, *key_, nullptr); }
  AttentionScore score() const override { return {kernels::ScoreKind::dot, 1, nullptr}; }

 private:
  const Parameter* key_;
};

}  // namespace

std::unique_ptr<Attention> make_general(ParameterStore& store, const AttentionSizes& sizes) {
  return std::make_unique<General>(store, sizes);
}

}  // namespace heed
