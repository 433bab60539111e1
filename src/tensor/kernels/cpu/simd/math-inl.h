// exp, tanh and sigmoid on vectors of Real. NaN passes through all of them: limits are set by a
// comparison, since Min and Max of NaN differ between instruction sets. In f32, 2^y = 2^n 2^f with
// |f| <= 1/2; 2^f - 1 is a minimax polynomial (relative error 1.1e-8), so that tanh is exact to a
// few ulp near 0 as well. In f64 they are Highway's exp and tanh.
#if defined(HEED_KERNELS_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_MATH_INL
#undef HEED_KERNELS_MATH_INL
#else
#define HEED_KERNELS_MATH_INL
#endif

#ifdef HEED_DOUBLE
#include <hwy/contrib/math/math-inl.h>
#endif

#include "tensor/kernels/cpu/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

#ifdef HEED_DOUBLE

HWY_INLINE V keep_nan(V x, V y) { return hn::IfThenElse(hn::IsNaN(x), x, y); }
// e^x for x <= 0.
HWY_INLINE V exp_nonpositive(V x) { return keep_nan(x, hn::Exp(D(), x)); }
HWY_INLINE V tanh_of(V x) { return keep_nan(x, hn::Tanh(D(), x)); }

#else

struct PowerOfTwo {
  V scale;           // 2^n
  V fraction_minus;  // 2^f - 1
};

// Adding 1.5 2^23 rounds to the nearest integer, which is then in the low bits.
constexpr Real kRounder = 12582912.0f;

// Of 2^(x factor + x correction). Requires |x factor| <= 126.
HWY_INLINE PowerOfTwo power_of_two(V x, Real factor, Real correction) {
  const D d;
  const hn::RebindToSigned<D> di;
  const V rounded = hn::MulAdd(x, set(factor), set(kRounder));
  V f = hn::MulSub(x, set(factor), hn::Sub(rounded, set(kRounder)));
  if (correction != 0) f = hn::MulAdd(x, set(correction), f);
  V p = hn::MulAdd(set(1.540351107683e-4f), f, set(1.339075833708e-3f));
  p = hn::MulAdd(p, f, set(9.618237585666e-3f));
  p = hn::MulAdd(p, f, set(5.550357390967e-2f));
  p = hn::MulAdd(p, f, set(2.402264979385e-1f));
  p = hn::MulAdd(p, f, set(6.931471879355e-1f));
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(di, rounded));
  const auto one = hn::BitCast(di, set(1.0f));
  return {hn::BitCast(d, hn::Add(exponent, one)), hn::Mul(p, f)};
}

constexpr Real kLog2E = 1.44269504f;  // log2(e) rounded to f32
constexpr Real kLog2ERemainder = 1.925963033e-8f;

// e^x for x <= 0, to 2 ulp; 0 if it is below 2^-126. Instruction sets without a fused
// multiply-add (before AVX2) round x factor and flush a small product: to 2 + |x| ulp or 2^-126.
HWY_INLINE V exp_nonpositive(V x) {
  const V lowest = set(-87.33654f);
  const auto tiny = hn::Lt(x, lowest);
  const PowerOfTwo e = power_of_two(hn::IfThenElse(tiny, lowest, x), kLog2E, kLog2ERemainder);
  return hn::IfThenZeroElse(tiny, hn::MulAdd(e.scale, e.fraction_minus, e.scale));
}

// tanh |x| = (1 - e) / (1 + e) with e = exp(-2 |x|), written with e - 1.
HWY_INLINE V tanh_of(V x) {
  const V limit = set(20.0f), size = hn::Abs(x);
  const PowerOfTwo e =
      power_of_two(hn::IfThenElse(hn::Gt(size, limit), limit, size), -2 * kLog2E, 0);
  const V minus = hn::MulAdd(e.scale, e.fraction_minus, hn::Sub(e.scale, set(1.0f)));
  const V result = hn::Div(minus, hn::Add(minus, set(2.0f)));
  return hn::CopySignToAbs(hn::Abs(result), x);
}

#endif  // HEED_DOUBLE

// 1 / (1 + e) for x >= 0, e / (1 + e) below, with e = exp(-|x|).
HWY_INLINE V sigmoid_of(V x) {
  const V e = exp_nonpositive(hn::Neg(hn::Abs(x)));
  const V above = hn::IfThenElse(hn::Lt(x, set(0)), e, set(1));
  return hn::Div(above, hn::Add(e, set(1)));
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HEED_KERNELS_MATH_INL
