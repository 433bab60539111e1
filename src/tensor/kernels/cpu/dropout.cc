// Dropout whose mask is a pure function of (seed, stream, element): nothing is kept for the
// backward pass, and it is the same with every instruction set and any number of threads. Element i
// takes word i % 4 of the Philox block of the counter (i / 4, stream) and is kept if the word's
// upper 31 bits are not below rate 2^31.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/kernels/cpu/dropout.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include "tensor/kernels/cpu/chunks.h"
#include "tensor/kernels/cpu/elementwise.h"
#include "tensor/kernels/cpu/simd/philox-inl.h"
#include "tensor/kernels/cpu/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {

// y = or += x keep scale for elements begin ... begin + n - 1; begin is a multiple of 4.
template <bool kAccumulate>
HWY_INLINE void masked_scale(const PhiloxKeys& keys, int64_t begin, const Real* x, Real* y,
                             int64_t n) {
  const MaskWords mask(keys);
  const int64_t count = mask.count();
  uint64_t block = static_cast<uint64_t>(begin) / 4;
  int64_t i = 0;
#if !defined(HEED_DOUBLE) && HWY_TARGET != HWY_SCALAR
  const hn::RebindToSigned<D> di;
  const auto below = hn::Set(di, static_cast<int32_t>(keys.threshold) - 1);
  const V scale = set(keys.scale);
  const auto apply = [&](V32 word, const Real* from, Real* to) HWY_ATTR {
    const auto keep = hn::Gt(hn::BitCast(di, hn::ShiftRight<1>(word)), below);
    const V scaled = hn::Mul(hn::LoadU(D(), from), scale);
    const V kept = hn::IfThenElseZero(hn::RebindMask(D(), keep), scaled);
    hn::StoreU(kAccumulate ? hn::Add(hn::LoadU(D(), to), kept) : kept, D(), to);
  };
  for (; i + count <= n; i += count, block += static_cast<uint64_t>(count / 4)) {
    V32 low = hn::Zero(D32()), high = low;
    mask.draw(block, low, high);
    apply(low, x + i, y + i);
    apply(high, x + i + count / 2, y + i + count / 2);
  }
#endif
  for (; i < n; i += count, block += static_cast<uint64_t>(count / 4)) {
    uint32_t words[kMaxMaskWords];
    mask.fill(block, words);
    const int64_t rest = n - i < count ? n - i : count;
    for (int64_t j = 0; j < rest; ++j) {
      const Real kept = (words[j] >> 1) >= keys.threshold ? x[i + j] * keys.scale : Real(0);
      y[i + j] = kAccumulate ? y[i + j] + kept : kept;
    }
  }
}

void dropout_range(const PhiloxKeys& keys, int64_t begin, const Real* x, Real* y, int64_t n) {
  masked_scale<false>(keys, begin, x, y, n);
}

void dropout_backward_range(const PhiloxKeys& keys, int64_t begin, const Real* dy, Real* dx,
                            int64_t n) {
  masked_scale<true>(keys, begin, dy, dx, n);
}

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed::kernels::cpu {

HWY_EXPORT(dropout_range);
HWY_EXPORT(dropout_backward_range);

namespace {

PhiloxKeys mask_keys(Real rate, DropoutKey key) {
  PhiloxKeys keys;
  uint32_t k0 = static_cast<uint32_t>(key.seed), k1 = static_cast<uint32_t>(key.seed >> 32);
  for (int round = 0; round < PhiloxKeys::kRounds; ++round) {
    keys.k0[round] = k0;
    keys.k1[round] = k1;
    k0 += kPhiloxW0;
    k1 += kPhiloxW1;
  }
  keys.stream = key.stream;
  keys.threshold = static_cast<uint32_t>(static_cast<double>(rate) * 0x1p31);
  keys.scale = 1 / (1 - rate);
  return keys;
}

}  // namespace

void dropout(const Tensor& x, Real rate, DropoutKey key, const Tensor& y) {
  const PhiloxKeys keys = mask_keys(rate, key);
  parallel_for(x.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(dropout_range)(keys, begin, x.data + begin, y.data + begin, end - begin);
  });
}

void dropout_backward(const Tensor& dy, Real rate, DropoutKey key, const Tensor& dx) {
  const PhiloxKeys keys = mask_keys(rate, key);
  parallel_for(dy.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(dropout_backward_range)
    (keys, begin, dy.data + begin, dx.data + begin, end - begin);
  });
}

}  // namespace heed::kernels::cpu
#endif  // HWY_ONCE
