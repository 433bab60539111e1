// Weight gradients in bf16: c [M, N] = a^T b with a [R, M], b [R, N], where R is long. R is cut
// into parts of nearly equal depth, a function of R alone; of each part a is transposed on the way
// to bf16, b is packed, and their product is added to c in f32.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/round_up.h"
#include "tensor/kernels/cpu/left_operand.h"

namespace heed::kernels {
namespace {

// Deep parts add to c less often; few kinds of depth keep the number of built products small.
constexpr int64_t kDeepest = 512, kDepthStep = 64;

// Packed forms of the calling thread, one for each shape, so that nothing is built anew.
PackedMatrix& packed_of(int64_t depth, int64_t columns) {
  static thread_local std::map<std::pair<int64_t, int64_t>, PackedMatrix> all;
  return all[{depth, columns}];
}

// Rows [begin, begin + depth) of b, with zeros past its end.
Tensor rows_of_part(const Tensor& b, int64_t begin, int64_t depth, std::vector<Real>& padded) {
  const int64_t rows = b.shape.rows(), columns = b.shape.last();
  Real* const from = b.data + begin * columns;
  if (begin + depth <= rows) return {from, {depth, columns}, Device::cpu};
  padded.assign(static_cast<size_t>(depth * columns), Real(0));
  std::copy_n(from, (rows - begin) * columns, padded.data());
  return {padded.data(), {depth, columns}, Device::cpu};
}

}  // namespace

void multiply_transposed_bf16(const Tensor& a, const Tensor& b, Tensor c, bool accumulate) {
  static thread_local std::vector<Real> padded;
  const int64_t R = a.shape.rows(), M = a.shape.last(), N = b.shape.last();
  const int64_t parts = (R + kDeepest - 1) / kDeepest;
  const int64_t depth = round_up((R + parts - 1) / parts, kDepthStep);
  PackedMatrix& packed = packed_of(depth, N);
  for (int64_t begin = 0; begin < R; begin += depth) {
    packed.pack(rows_of_part(b, begin, depth, padded), false, Precision::bf16);
    const int64_t rows = std::min(depth, R - begin);
    multiply_packed(LeftOperand::transposed(a.data + begin * M, rows, M, depth), M, packed, c,
                    {accumulate || begin > 0, nullptr});
  }
}

}  // namespace heed::kernels
