// f32 to bf16, the 16 high bits of a float, a vector at a time. Empty in the double build.
#if defined(HEED_KERNELS_BF16_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_BF16_INL
#undef HEED_KERNELS_BF16_INL
#else
#define HEED_KERNELS_BF16_INL
#endif

#include "tensor/kernels/cpu/simd/simd-inl.h"

#ifndef HEED_DOUBLE
HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

using Words = hn::RebindToUnsigned<D>;  // 32 bits

// To nearest with ties to even; NaN stays NaN. The result is in the high halves; the low
// ones are undefined.
HWY_INLINE hn::Vec<Words> rounded_to_bf16(V v) {
  const Words words;
  const auto bits = hn::BitCast(words, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1));
  const auto rounded = hn::Add(hn::Add(bits, hn::Set(words, 0x7fff)), odd);
  return hn::IfThenElse(hn::RebindMask(words, hn::IsNaN(v)), hn::Set(words, 0x7fc00000), rounded);
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HEED_DOUBLE

#endif  // HEED_KERNELS_BF16_INL
