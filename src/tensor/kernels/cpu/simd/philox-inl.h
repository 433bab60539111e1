// Random words for consecutive elements: element i takes word i % 4 of the Philox block of (i
// / 4, stream).
#if defined(HEED_KERNELS_PHILOX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_PHILOX_INL
#undef HEED_KERNELS_PHILOX_INL
#else
#define HEED_KERNELS_PHILOX_INL
#endif

#include <hwy/highway.h>

#include "base/random.h"
#include "tensor/kernels/cpu/simd/philox_keys.h"

HWY_BEFORE_NAMESPACE();
namespace heed::kernels::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

constexpr int64_t kMaxMaskWords = 4;

class MaskWords {
 public:
  explicit MaskWords(const PhiloxKeys& keys) : keys_(keys) {}
  HWY_INLINE int64_t count() const { return 4; }
  HWY_INLINE void fill(uint64_t block, uint32_t* words) const {
    const auto drawn =
        philox4x32({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
                    static_cast<uint32_t>(keys_.stream), static_cast<uint32_t>(keys_.stream >> 32)},
                   {static_cast<uint32_t>(keys_.k0[0]), static_cast<uint32_t>(keys_.k1[0])});
    for (int i = 0; i < 4; ++i) words[i] = drawn[static_cast<size_t>(i)];
  }

 private:
  const PhiloxKeys& keys_;
};

#else

using D64 = hn::ScalableTag<uint64_t>;
using D32 = hn::Repartition<uint32_t, D64>;
using V64 = hn::Vec<D64>;
using V32 = hn::Vec<D32>;

constexpr int64_t kMaxMaskWords = 4 * hn::MaxLanes(D64());

// One Philox counter per 64-bit lane, which gives four words per lane at once.
class MaskWords {
 public:
  explicit MaskWords(const PhiloxKeys& keys) : keys_(keys) {
    // Even lanes take the first half of the counters and odd lanes the second: interleaving within
    // 128-bit blocks then gives the words in order.
    const int64_t counters = count() / 4;
    for (int64_t i = 0; i < counters; ++i)
      offsets_[i] = static_cast<uint64_t>(i / 2 + (i % 2) * (counters / 2));
  }

  HWY_INLINE int64_t count() const { return 4 * static_cast<int64_t>(hn::Lanes(D64())); }

  // The words of the first count() / 2 elements from 4 * block on, and of the next count() / 2.
  HWY_INLINE void draw(uint64_t block, V32& low, V32& high) const {
    const D64 d;
    const D32 d32;
    V64 c0 = hn::Add(hn::Set(d, block), hn::Load(d, offsets_));
    V64 c1 = hn::ShiftRight<32>(c0);
    V64 c2 = hn::Set(d, keys_.stream & 0xffffffffu), c3 = hn::Set(d, keys_.stream >> 32);
    mix_rounds(c0, c1, c2, c3);
    const V32 first = hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(c1)), hn::BitCast(d32, c0));
    const V32 second = hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(c3)), hn::BitCast(d32, c2));
    low = hn::BitCast(d32, hn::InterleaveLower(d, hn::BitCast(d, first), hn::BitCast(d, second)));
    high = hn::BitCast(d32, hn::InterleaveUpper(d, hn::BitCast(d, first), hn::BitCast(d, second)));
  }

  HWY_INLINE void fill(uint64_t block, uint32_t* words) const {
    V32 low = hn::Zero(D32()), high = low;
    draw(block, low, high);
    hn::StoreU(low, D32(), words);
    hn::StoreU(high, D32(), words + count() / 2);
  }

 private:
  // Only the lower halves of the lanes are used; multiplication ignores the upper ones.
  HWY_INLINE void mix_rounds(V64& c0, V64& c1, V64& c2, V64& c3) const {
    const D64 d;
    const D32 d32;
    const V32 m0 = hn::Set(d32, kPhiloxM0), m1 = hn::Set(d32, kPhiloxM1);
    for (int round = 0; round < PhiloxKeys::kRounds; ++round) {
      const V64 p0 = hn::MulEven(hn::BitCast(d32, c0), m0);
      const V64 p1 = hn::MulEven(hn::BitCast(d32, c2), m1);
      c0 = hn::Xor3(hn::ShiftRight<32>(p1), c1, hn::Set(d, keys_.k0[round]));
      c2 = hn::Xor3(hn::ShiftRight<32>(p0), c3, hn::Set(d, keys_.k1[round]));
      c1 = p1;
      c3 = p0;
    }
  }

  const PhiloxKeys& keys_;
  HWY_ALIGN uint64_t offsets_[hn::MaxLanes(D64())];
};

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace heed::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HEED_KERNELS_PHILOX_INL
