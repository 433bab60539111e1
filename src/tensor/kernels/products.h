// Matrix products, and the packed form of a matrix that is multiplied by often.
#pragma once

#include <cstdint>
#include <memory>

#include "tensor/tensor.h"

namespace heed::kernels {

// The type of the operands of a packed product. Sums and results are f32 always.
//   bf16: both operands rounded to 8 bits of mantissa, to nearest, ties to even.
//   int8: both as integers q in [-127, 127] with x = scale q; a scale, max |x| / 127, per column
//   of the right-hand matrix and per row of the left one.
enum class Precision { f32, bf16, int8 };
// Whether this build can multiply in it: always in f32, in the others through oneDNN.
bool has_precision(Precision precision);
// Whether this processor has instructions for it; without them it is slower than f32.
bool is_native(Precision precision);

// The right-hand matrix of a product, [K, C], in the layout that the matrix library prefers, cut
// into fixed column tiles. Call pack() again after its elements changed; that costs about as much
// as copying the matrix.
class PackedMatrix {
 public:
  // What a backend keeps of it.
  struct State;

  PackedMatrix();
  ~PackedMatrix();
  PackedMatrix(PackedMatrix&&) noexcept;
  PackedMatrix& operator=(PackedMatrix&&) noexcept;

  // b is [K, C], or [C, K] if `transposed`. Its elements are copied.
  void pack(const Tensor& b, bool transposed, Precision precision = Precision::f32);
  bool empty() const;
  int64_t rows() const;     // K
  int64_t columns() const;  // C
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// c [M, C] = a [M, K] B, or c += if `accumulate`; the last axis of a and c counts as columns.
// In the precision that B was packed in.
void gemm_packed(const Tensor& a, const PackedMatrix& b, Tensor c, bool accumulate);
// c = a B + bias [C] in every row.
void gemm_packed(const Tensor& a, const PackedMatrix& b, const Tensor& bias, Tensor c);

// An operand of gemm(): the matrix as it is in memory, or its transpose.
struct Operand {
  Tensor matrix;
  bool transposed = false;
};
// c = a b, or c += if `accumulate`; a is [M, K] and b [K, C] after their transposition. With bf16,
// a transposed times a plain matrix is computed in bf16; everything else is computed in f32.
void gemm(const Operand& a, const Operand& b, Tensor c, bool accumulate,
          Precision precision = Precision::f32);
// "oneDNN" | "Eigen".
const char* gemm_library();

// x [M, C] as int8 q with x = scale q: one scale, max |x| / 127, per row [M], or per column [C].
enum class ScalesPer { row, column };
void quantise(const Tensor& x, ScalesPer per, View<int8_t> q, Tensor scales);
void dequantise(const View<const int8_t>& q, const Tensor& scales, ScalesPer per, Tensor x);

}  // namespace heed::kernels
