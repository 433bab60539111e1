// Kernels of matrix products.
#include "tensor/kernels/products.h"

#include "tensor/kernels/checks.h"
#include "tensor/kernels/cpu/gemm/gemm.h"
#include "tensor/kernels/cpu/gemm/tile.h"
#include "tensor/kernels/front/dispatch.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/packed_matrix.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {
namespace {

double size_of(int64_t rows, int64_t columns) { return static_cast<double>(rows * columns); }

size_t bytes_of(Precision precision) {
  switch (precision) {
    case Precision::bf16:
      return sizeof(uint16_t);
    case Precision::int8:
      return sizeof(int8_t);
    case Precision::f32:
      break;
  }
  return sizeof(Real);
}

void count_packing(int64_t K, int64_t C, Precision precision) {
  count_work({0, size_of(K, C) * static_cast<double>(sizeof(Real) + bytes_of(precision)), 0});
}

// `precision` is that of the right-hand matrix as it is in memory.
void count_product(int64_t M, int64_t K, int64_t C, Precision precision) {
  const double bytes = (size_of(M, K) + size_of(M, C)) * sizeof(Real) +
                       size_of(K, C) * static_cast<double>(bytes_of(precision));
  count_work({2 * size_of(M, K) * static_cast<double>(C), bytes, 0});
}

// The device of a product with a packed matrix that is not empty.
Device device_of_product(const Tensor& a, const PackedMatrix& b, const Tensor& bias,
                         const Tensor& c) {
  const Device device = device_of("gemm_packed", a, bias, c);
  check(b.state().device() == device, "[gemm_packed] all operands must be on one device");
  return device;
}

void check_scales(const char* kernel, const Tensor& x, ScalesPer per, const Tensor& scales) {
  const int64_t rows = x.shape.last() == 0 ? 0 : x.shape.rows();
  check_size(kernel, "scales", scales, per == ScalesPer::column ? x.shape.last() : rows);
}

}  // namespace

bool has_precision(Precision precision) { return cpu::has_precision(precision); }
bool is_native(Precision precision) { return cpu::is_native(precision); }
const char* gemm_library() { return cpu::gemm_library(); }

PackedMatrix::PackedMatrix() = default;
PackedMatrix::~PackedMatrix() = default;
PackedMatrix::PackedMatrix(PackedMatrix&& other) noexcept = default;
PackedMatrix& PackedMatrix::operator=(PackedMatrix&& other) noexcept = default;

bool PackedMatrix::empty() const { return rows() == 0 || columns() == 0; }
int64_t PackedMatrix::rows() const { return state_ ? state_->rows : 0; }
int64_t PackedMatrix::columns() const { return state_ ? state_->columns : 0; }

void PackedMatrix::pack(const Tensor& b, bool transposed, Precision precision) {
  check(b.shape.rank() == 2, "[pack] b must be a matrix. Received {}", b.shape);
  check(has_precision(precision), "[pack] the precision must be one of has_precision()");
  count_packing(b.shape[0], b.shape[1], precision);
  on(b.device, [&] { cpu::pack(b, transposed, precision, state_); });
}

void gemm_packed(const Tensor& a, const PackedMatrix& b, Tensor c, bool accumulate) {
  const int64_t M = a.shape.rows(), K = b.rows(), C = b.columns();
  check(a.shape.last() == K && c.shape.last() == C && c.shape.rows() == M,
        "[gemm_packed] c [M, C] = a [M, K] b [K, C]. Received a {}, b [{}, {}], c {}", a.shape, K,
        C, c.shape);
  if (M == 0 || C == 0) return;
  if (K == 0) return accumulate ? void() : fill(c, 0);
  count_product(M, K, C, b.state().precision);
  on(device_of_product(a, b, {}, c), [&] { cpu::gemm_packed(a, b.state(), c, accumulate); });
}

void gemm_packed(const Tensor& a, const PackedMatrix& b, const Tensor& bias, Tensor c) {
  const int64_t M = a.shape.rows(), K = b.rows(), C = b.columns();
  check(
      a.shape.last() == K && c.shape.last() == C && c.shape.rows() == M && bias.size() == C,
      "[gemm_packed] c [M, C] = a [M, K] b [K, C] + bias [C]. Received a {}, b [{}, {}], bias {}, "
      "c {}",
      a.shape, K, C, bias.shape, c.shape);
  if (M == 0 || C == 0) return;
  if (K == 0) {
    fill(c, 0);
    return add_bias(bias, c);
  }
  count_product(M, K, C, b.state().precision);
  on(device_of_product(a, b, bias, c), [&] { cpu::gemm_packed(a, b.state(), bias, c); });
}

void gemm(const Operand& a, const Operand& b, Tensor c, bool accumulate, Precision precision) {
  const Shape &left = a.matrix.shape, &right = b.matrix.shape;
  const int64_t M = a.transposed ? left.last() : left.rows();
  const int64_t K = a.transposed ? left.rows() : left.last();
  const int64_t C = b.transposed ? right.rows() : right.last();
  check((b.transposed ? right.last() : right.rows()) == K && c.shape.last() == C &&
            c.shape.rows() == M,
        "[gemm] c [M, C] = op(a) [M, K] op(b) [K, C]. Received a {}{}, b {}{}, c {}", left,
        a.transposed ? " transposed" : "", right, b.transposed ? " transposed" : "", c.shape);
  if (M == 0 || C == 0) return;
  if (K == 0) return accumulate ? void() : fill(c, 0);
  const bool in_bf16 = precision == Precision::bf16 && a.transposed && !b.transposed;
  if (in_bf16) count_packing(K, C, Precision::bf16);
  count_product(M, K, C, Precision::f32);
  on(device_of("gemm", a.matrix, b.matrix, c),
     [&] { cpu::gemm(a, b, c, accumulate, in_bf16 ? Precision::bf16 : Precision::f32); });
}

void quantise(const Tensor& x, ScalesPer per, View<int8_t> q, Tensor scales) {
  check_size("quantise", "q", q, x.size());
  check_scales("quantise", x, per, scales);
  on(device_of("quantise", x, q, scales), [&] { cpu::quantise(x, per, q, scales); });
}

void dequantise(const View<const int8_t>& q, const Tensor& scales, ScalesPer per, Tensor x) {
  check_size("dequantise", "q", q, x.size());
  check_scales("dequantise", x, per, scales);
  on(device_of("dequantise", q, scales, x), [&] { cpu::dequantise(q, scales, per, x); });
}

}  // namespace heed::kernels
