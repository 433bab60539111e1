// dot: q . h (Luong et al. 2015, eq. 8).  scaled_dot: q . h / sqrt(D), so that the variance of a
// score does not grow with D (Vaswani et al. 2017, 3.2.1). Both need Hd = D.
#include <cmath>

#include "base/error.h"
#include "nn/attention/score.h"

namespace heed {
namespace {

class Dot : public Score {
 public:
  Dot(const char* name, const AttentionSizes& sizes, Real scale) : scale_(scale) {
    if (sizes.query != sizes.state)
      fail(
          "model.attention.score: {} compares a decoder state (model.decoder.hidden = {}) with an "
          "encoder state (model.encoder.hidden x directions = {}); make them equal or use general, "
          "additive or concat",
          name, sizes.query, sizes.state);
  }
  Var keys(Tape&, Var states) const override { return states; }
  AttendForm form() const override { return {kernels::ScoreKind::dot, scale_, nullptr}; }

 private:
  Real scale_;
};

}  // namespace

std::unique_ptr<Score> make_dot(ParameterStore&, const AttentionSizes& sizes) {
  return std::make_unique<Dot>("dot", sizes, Real{1});
}

std::unique_ptr<Score> make_scaled_dot(ParameterStore&, const AttentionSizes& sizes) {
  return std::make_unique<Dot>("scaled_dot", sizes,
                               Real{1} / std::sqrt(static_cast<Real>(sizes.state)));
}

}  // namespace heed
