// The CPU's elementwise kernels, of operands that were checked; kernels.h says what they compute.
#pragma once

#include "tensor/kernels/kernels.h"

namespace heed::kernels::cpu {

void fill(const Tensor& y, Real value);
void copy(const Tensor& x, const Tensor& y);
void add(const Tensor& x, const Tensor& y);
void add_scaled(Real scale, const Tensor& x, const Tensor& y);
void move_towards(Real share, const Tensor& x, const Tensor& y);
void swap(const Tensor& x, const Tensor& y);
void multiply(const Tensor& a, const Tensor& b, const Tensor& y);
void multiply_add(const Tensor& a, const Tensor& b, const Tensor& y);
void add_bias(const Tensor& bias, const Tensor& y);

void tanh(const Tensor& x, const Tensor& y);
void tanh_backward(const Tensor& y, const Tensor& dy, const Tensor& dx);
void sigmoid(const Tensor& x, const Tensor& y);
void sigmoid_backward(const Tensor& y, const Tensor& dy, const Tensor& dx);

void dropout(const Tensor& x, Real rate, DropoutKey key, const Tensor& y);
void dropout_backward(const Tensor& dy, Real rate, DropoutKey key, const Tensor& dx);

void mix_in_log(Real share, const Tensor& x, const Tensor& y);

}  // namespace heed::kernels::cpu
