// The CPU's matrix products, of operands that were checked and are not empty; kernels/products.h
// says what they compute.
#pragma once

#include <memory>

#include "tensor/kernels/packed_matrix.h"

namespace heed::kernels::cpu {

// Packs b into `state`, whose memory is reused if it was packed from an equal shape before.
void pack(const Tensor& b, bool transposed, Precision precision,
          std::unique_ptr<PackedMatrix::State>& state);

void gemm_packed(const Tensor& a, const PackedMatrix::State& b, const Tensor& c, bool accumulate);
void gemm_packed(const Tensor& a, const PackedMatrix::State& b, const Tensor& bias,
                 const Tensor& c);
// In bf16 only with a transposed and b plain.
void gemm(const Operand& a, const Operand& b, const Tensor& c, bool accumulate,
          Precision precision);

void quantise(const Tensor& x, ScalesPer per, const View<int8_t>& q, const Tensor& scales);
void dequantise(const View<const int8_t>& q, const Tensor& scales, ScalesPer per, const Tensor& x);

}  // namespace heed::kernels::cpu
