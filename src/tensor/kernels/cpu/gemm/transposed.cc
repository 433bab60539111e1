// Weight gradients in bf16: c [M, C] = a^T b with a [R, M], b [R, C], of which R is long. R is cut
// into parts of nearly equal depth, a function of R alone. Of each part a is transposed while it is
// rounded to bf16, b is packed, and their product is added to c in f32.
#include <algorithm>
#include <map>
#include <utility>

#include "base/round_up.h"
#include "tensor/kernels/cpu/gemm/packed.h"
#include "tensor/kernels/cpu/scratch.h"

namespace heed::kernels::cpu {
namespace {

// Deep parts add to c less often; few different depths keep the number of built products small.
constexpr int64_t kDeepest = 512, kDepthStep = 64;

// Packed forms of the calling thread, one per shape, so that nothing is built anew.
Packed& packed_of(int64_t depth, int64_t columns) {
  static thread_local std::map<std::pair<int64_t, int64_t>, Packed> all;
  return all[{depth, columns}];
}

struct Padded;

// Packs rows [begin, begin + depth) of b, with zeros past its end.
void pack_part(const Tensor& b, int64_t begin, int64_t depth, Packed& packed) {
  const int64_t rows = b.shape.rows(), columns = b.shape.last();
  Real* const from = b.data + begin * columns;
  if (begin + depth <= rows)
    return packed.pack({from, {depth, columns}, Device::cpu}, false, Precision::bf16);
  const int64_t used = (rows - begin) * columns;
  Scratch<Real, Padded> padded(depth * columns);
  std::copy_n(from, used, padded.data());
  std::fill(padded.data() + used, padded.data() + depth * columns, Real(0));
  packed.pack({padded.data(), {depth, columns}, Device::cpu}, false, Precision::bf16);
}

}  // namespace

void multiply_transposed_bf16(const Tensor& a, const Tensor& b, const Tensor& c, bool accumulate) {
  const int64_t R = a.shape.rows(), M = a.shape.last(), C = b.shape.last();
  const int64_t parts = (R + kDeepest - 1) / kDeepest;
  const int64_t depth = round_up((R + parts - 1) / parts, kDepthStep);
  Packed& packed = packed_of(depth, C);
  for (int64_t begin = 0; begin < R; begin += depth) {
    pack_part(b, begin, depth, packed);
    const int64_t rows = std::min(depth, R - begin);
    multiply_packed(LeftOperand::transposed(a.data + begin * M, rows, M, depth), M, packed, c.data,
                    {.accumulate = accumulate || begin > 0});
  }
}

}  // namespace heed::kernels::cpu
