// One pass over flat memory per optimizer: every element is read and written once.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/optimizers.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <cmath>

#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/optimizers.h"
#include "tensor/kernels/cpu/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

HWY_INLINE V set_real(double value) { return set(static_cast<Real>(value)); }

//   m = b1 m + (1 - b1) g,  v = b2 v + (1 - b2) g^2
//   p -= rate (m / correction1) / (sqrt(v / correction2) + epsilon)
void adam_range(const AdamStep& step, Real gradient_scale, const Real* gradient, Real* m, Real* v,
                Real* parameters, int64_t n) {
  const V scale = set(gradient_scale), epsilon = set_real(step.epsilon);
  const V beta1 = set_real(step.beta1), rest1 = set_real(1 - step.beta1);
  const V beta2 = set_real(step.beta2), rest2 = set_real(1 - step.beta2);
  const V rate = set_real(step.learning_rate / step.correction1);
  const V root = set_real(1 / std::sqrt(step.correction2));
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V g = hn::Mul(part.load(gradient + i), scale);
    const V mean = hn::MulAdd(part.load(m + i), beta1, hn::Mul(g, rest1));
    const V square = hn::MulAdd(part.load(v + i), beta2, hn::Mul(hn::Mul(g, g), rest2));
    const V below = hn::MulAdd(hn::Sqrt(square), root, epsilon);
    part.store(mean, m + i);
    part.store(square, v + i);
    part.store(hn::Sub(part.load(parameters + i), hn::Div(hn::Mul(mean, rate), below)),
               parameters + i);
  });
}

void sgd_range(const SgdStep& step, Real gradient_scale, const Real* gradient, Real* velocity,
               Real* parameters, int64_t n) {
  const V scale = set(gradient_scale), keep = set_real(step.momentum);
  const V rate = set_real(step.learning_rate);
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V g = hn::Mul(part.load(gradient + i), scale);
    const V speed = hn::MulAdd(part.load(velocity + i), keep, g);
    part.store(speed, velocity + i);
    part.store(hn::NegMulAdd(speed, rate, part.load(parameters + i)), parameters + i);
  });
}

//   E[g^2] = rho E[g^2] + (1 - rho) g^2
//   u = sqrt(E[u^2] + epsilon) / sqrt(E[g^2] + epsilon) g
//   E[u^2] = rho E[u^2] + (1 - rho) u^2
//   p -= rate u
void adadelta_range(const AdadeltaStep& step, Real gradient_scale, const Real* gradient,
                    Real* mean_square, Real* mean_square_update, Real* parameters, int64_t n) {
  const V scale = set(gradient_scale), rate = set_real(step.learning_rate);
  const V rho = set_real(step.rho), rest = set_real(1 - step.rho), epsilon = set_real(step.epsilon);
  each_vector(n, [&](int64_t i, auto part) HWY_ATTR {
    const V g = hn::Mul(part.load(gradient + i), scale);
    const V square = hn::MulAdd(part.load(mean_square + i), rho, hn::Mul(hn::Mul(g, g), rest));
    const V before = part.load(mean_square_update + i);
    const V ratio = hn::Div(hn::Add(before, epsilon), hn::Add(square, epsilon));
    const V update = hn::Mul(hn::Sqrt(ratio), g);
    part.store(square, mean_square + i);
    part.store(hn::MulAdd(before, rho, hn::Mul(hn::Mul(update, update), rest)),
               mean_square_update + i);
    part.store(hn::NegMulAdd(update, rate, part.load(parameters + i)), parameters + i);
  });
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(adam_range);
HWY_EXPORT(sgd_range);
HWY_EXPORT(adadelta_range);

void adam(const Tensor& gradient, Real gradient_scale, const AdamStep& step, const Tensor& m,
          const Tensor& v, const Tensor& parameters) {
  const int64_t n = gradient.size();
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(adam_range)
    (step, gradient_scale, gradient.data + begin, m.data + begin, v.data + begin,
     parameters.data + begin, end - begin);
  });
}

void sgd(const Tensor& gradient, Real gradient_scale, const SgdStep& step, const Tensor& velocity,
         const Tensor& parameters) {
  const int64_t n = gradient.size();
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(sgd_range)
    (step, gradient_scale, gradient.data + begin, velocity.data + begin, parameters.data + begin,
     end - begin);
  });
}

void adadelta(const Tensor& gradient, Real gradient_scale, const AdadeltaStep& step,
              const Tensor& mean_square, const Tensor& mean_square_update,
              const Tensor& parameters) {
  const int64_t n = gradient.size();
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(adadelta_range)
    (step, gradient_scale, gradient.data + begin, mean_square.data + begin,
     mean_square_update.data + begin, parameters.data + begin, end - begin);
  });
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
