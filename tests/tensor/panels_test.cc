// Panels word for word against a plain loop, with every instruction set.
#ifdef HEED_ONEDNN
#include "tensor/kernels/cpu/gemm/panels.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/round_up.h"
#include "kernel_support.h"
#include "tensor/kernels/cpu/gemm/low_precision.h"

namespace heed::kernels::cpu {
namespace {

constexpr int64_t kGap = 5;  // between rows in memory
constexpr uint32_t kUntouched = 0xffffffff;

// Elements of many magnitudes, some NaN, infinite, or halfway between two bf16 values.
std::vector<float> odd_elements(int64_t count) {
  std::vector<float> x(static_cast<size_t>(count));
  for (size_t i = 0; i < x.size(); ++i) {
    const auto n = static_cast<float>(i);
    x[i] = std::sin(n * 1.7F) * std::exp2(static_cast<float>(static_cast<int>(i % 40) - 20));
    if (i % 97 == 5) x[i] = std::numeric_limits<float>::quiet_NaN();
    if (i % 101 == 3) x[i] = std::bit_cast<float>(0x7fffffffU);
    if (i % 89 == 5) x[i] = std::numeric_limits<float>::infinity();
    if (i % 53 == 1)
      x[i] = std::bit_cast<float>(0x3f808000U + static_cast<uint32_t>(i % 4) * 0x10000U);
  }
  return x;
}

struct Source {
  Source(int64_t k, int64_t n, bool transposed)
      : stride((transposed ? k : n) + kGap),
        numbers(odd_elements(((transposed ? n : k) - 1) * stride + stride - kGap)),
        source{numbers.data(), {stride, transposed}, k, n} {}
  float at(int64_t i, int64_t j) const {
    if (i >= source.rows || j >= source.columns) return 0;
    return numbers[static_cast<size_t>(source.layout.transposed ? j * stride + i : i * stride + j)];
  }

  int64_t stride;
  std::vector<float> numbers;
  PanelSource source;
};

// Words of all panels, and one line after them that must not change.
struct Panels {
  Panels(int64_t depth, int64_t columns, int64_t elements_per_word)
      : words(depth * columns / elements_per_word), lines(static_cast<size_t>(words / 16 + 1)) {}
  struct alignas(64) Line {
    uint32_t words[16] = {kUntouched, kUntouched, kUntouched, kUntouched, kUntouched, kUntouched,
                          kUntouched, kUntouched, kUntouched, kUntouched, kUntouched, kUntouched,
                          kUntouched, kUntouched, kUntouched, kUntouched};
  };
  uint32_t word(int64_t i) const {
    return lines[static_cast<size_t>(i / 16)].words[static_cast<size_t>(i % 16)];
  }
  void expect_the_end_is_untouched() const {
    for (int64_t i = words; i < words + 16; ++i) ASSERT_EQ(word(i), kUntouched);
  }

  int64_t words;
  std::vector<Line> lines;
};

void expect_f32(const Source& from, int64_t depth, int64_t columns) {
  Panels panels(depth, columns, 1);
  fill_panels(from.source, depth, reinterpret_cast<Real*>(panels.lines.data()));
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = 0; i < depth; ++i)
      ASSERT_EQ(panels.word(j / 64 * 64 * depth + i * 64 + j % 64),
                std::bit_cast<uint32_t>(from.at(i, j)))
          << i << ", " << j;
  panels.expect_the_end_is_untouched();
}

void expect_bf16(const Source& from, int64_t depth, int64_t columns) {
  Panels panels(depth, columns, 2);
  fill_panels(from.source, depth, reinterpret_cast<uint16_t*>(panels.lines.data()));
  for (int64_t j = 0; j < columns; ++j) {
    for (int64_t i = 0; i < depth; ++i) {
      const uint32_t pair = panels.word(j / 64 * 32 * depth + i / 2 * 64 + j % 64);
      const float x = from.at(i, j);
      uint16_t rounded;
      round_to_bf16(&x, &rounded, 1);
      ASSERT_EQ(i % 2 == 0 ? pair & 0xffff : pair >> 16, rounded) << i << ", " << j;
    }
  }
  panels.expect_the_end_is_untouched();
}

TEST(Panels, HoldEveryElementAndZerosPastTheEnds) {
  test::for_each_instruction_set([] {
    for (const int64_t k : {1, 2, 15, 16, 17, 32, 33, 65, 300}) {
      for (const int64_t n : {1, 15, 16, 17, 63, 64, 65, 129, 200}) {
        for (const bool transposed : {false, true}) {
          SCOPED_TRACE(testing::Message() << k << " x " << n << (transposed ? ", transposed" : ""));
          const Source from(k, n, transposed);
          expect_f32(from, round_up<int64_t>(k, 16), round_up(n, kPanelColumns));
          expect_bf16(from, round_up<int64_t>(k, 32), round_up(n, kPanelColumns));
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

}  // namespace
}  // namespace heed::kernels::cpu
#endif  // HEED_ONEDNN
