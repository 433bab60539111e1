#include "tensor/kernels/cpu/gemm/left_operand.h"

#include "kernel_support.h"
#include "tensor/kernels/cpu/gemm/low_precision.h"

namespace heed::kernels::cpu {
namespace {

using test::Numbers;
using test::random_numbers;

constexpr int64_t kRows = 5, kColumns = 33;

std::vector<int8_t> row_of(const LeftOperand& left, int64_t i) {
  const auto* const row = static_cast<const int8_t*>(left.row(i));
  return {row, row + kColumns};
}

TEST(LeftOperand, InFullPrecisionIsTheMatrixItself) {
  const Numbers a = random_numbers({kRows, kColumns}, 1);
  const LeftOperand left(a.data.data(), kRows, kColumns, Precision::f32);
  EXPECT_EQ(left.row(0), a.data.data());
  EXPECT_EQ(left.row(3), a.data.data() + 3 * kColumns);
  EXPECT_EQ(left.scales_or_null(), nullptr);
}

TEST(LeftOperand, TwoOfOneThreadHaveMemoryOfTheirOwn) {
  const Numbers a = random_numbers({kRows, kColumns}, 1), b = random_numbers({kRows, kColumns}, 2);
  const LeftOperand first(a.data.data(), kRows, kColumns, Precision::int8);
  const LeftOperand second(b.data.data(), kRows, kColumns, Precision::int8);
  for (const auto& [left, x] : {std::pair{&first, &a}, std::pair{&second, &b}})
    for (int64_t i = 0; i < kRows; ++i) {
      std::vector<int8_t> expected(kColumns);
      const Real scale = quantise(x->data.data() + i * kColumns, expected.data(), kColumns);
      EXPECT_EQ(row_of(*left, i), expected);
      EXPECT_EQ(left->scales_or_null()[i], scale);
    }
}

TEST(Scratch, IsReusedByTheNextOne) {
  struct Owner;
  const int* first;
  {
    Scratch<int, Owner> scratch(100);
    first = scratch.data();
    const Scratch<int, Owner> other(200);
    EXPECT_NE(other.data(), first);
  }
  const Scratch<int, Owner> larger(150);  // of the two the thread kept the larger one
  EXPECT_NE(larger.data(), first);
  const int* const kept = larger.data();
  {
    Scratch<int, Owner> moved(50), target;
    target = std::move(moved);
    EXPECT_NE(target.data(), kept);
  }
}

}  // namespace
}  // namespace heed::kernels::cpu
