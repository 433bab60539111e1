// Kernels that compute y = f(x, ...) element by element.
#include "tensor/kernels/cpu/elementwise.h"

#include "tensor/kernels/checks.h"
#include "tensor/kernels/front/dispatch.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {

void fill(Tensor y, Real value) {
  count_elements(y.size());
  on(y.device, [&] { cpu::fill(y, value); });
}

void copy(const Tensor& x, Tensor y) {
  check_size("copy", "y", y, x.size());
  count_elements(2 * x.size());
  on(device_of("copy", x, y), [&] { cpu::copy(x, y); });
}

void add(const Tensor& x, Tensor y) {
  check_size("add", "y", y, x.size());
  count_elements(3 * x.size());
  on(device_of("add", x, y), [&] { cpu::add(x, y); });
}

void add_scaled(Real scale, const Tensor& x, Tensor y) {
  check_size("add_scaled", "y", y, x.size());
  count_elements(3 * x.size());
  on(device_of("add_scaled", x, y), [&] { cpu::add_scaled(scale, x, y); });
}

void move_towards(Real share, const Tensor& x, Tensor y) {
  check_size("move_towards", "y", y, x.size());
  count_elements(3 * x.size());
  on(device_of("move_towards", x, y), [&] { cpu::move_towards(share, x, y); });
}

void swap(Tensor x, Tensor y) {
  check_size("swap", "y", y, x.size());
  count_elements(4 * x.size());
  on(device_of("swap", x, y), [&] { cpu::swap(x, y); });
}

void multiply(const Tensor& a, const Tensor& b, Tensor y) {
  check_size("multiply", "b", b, a.size());
  check_size("multiply", "y", y, a.size());
  count_elements(3 * a.size());
  on(device_of("multiply", a, b, y), [&] { cpu::multiply(a, b, y); });
}

void multiply_add(const Tensor& a, const Tensor& b, Tensor y) {
  check_size("multiply_add", "b", b, a.size());
  check_size("multiply_add", "y", y, a.size());
  count_elements(4 * a.size());
  on(device_of("multiply_add", a, b, y), [&] { cpu::multiply_add(a, b, y); });
}

void add_bias(const Tensor& bias, Tensor y) {
  check_size("add_bias", "bias", bias, y.shape.last());
  count_elements(2 * y.size());
  on(device_of("add_bias", bias, y), [&] { cpu::add_bias(bias, y); });
}

void tanh(const Tensor& x, Tensor y) {
  check_size("tanh", "y", y, x.size());
  count_elements(2 * x.size(), x.size());
  on(device_of("tanh", x, y), [&] { cpu::tanh(x, y); });
}

void tanh_backward(const Tensor& y, const Tensor& dy, Tensor dx) {
  check_size("tanh_backward", "dy", dy, y.size());
  check_size("tanh_backward", "dx", dx, y.size());
  count_elements(4 * y.size());
  on(device_of("tanh_backward", y, dy, dx), [&] { cpu::tanh_backward(y, dy, dx); });
}

void sigmoid(const Tensor& x, Tensor y) {
  check_size("sigmoid", "y", y, x.size());
  count_elements(2 * x.size(), x.size());
  on(device_of("sigmoid", x, y), [&] { cpu::sigmoid(x, y); });
}

void sigmoid_backward(const Tensor& y, const Tensor& dy, Tensor dx) {
  check_size("sigmoid_backward", "dy", dy, y.size());
  check_size("sigmoid_backward", "dx", dx, y.size());
  count_elements(4 * y.size());
  on(device_of("sigmoid_backward", y, dy, dx), [&] { cpu::sigmoid_backward(y, dy, dx); });
}

namespace {

void check_rate(const char* kernel, Real rate) {
  check(rate >= 0 && rate < 1, "[{}] the rate must lie in [0, 1). Received {}", kernel, rate);
}

}  // namespace

void dropout(const Tensor& x, Real rate, DropoutKey key, Tensor y) {
  check_size("dropout", "y", y, x.size());
  check_rate("dropout", rate);
  count_elements(2 * x.size(), x.size());
  on(device_of("dropout", x, y), [&] { cpu::dropout(x, rate, key, y); });
}

void dropout_backward(const Tensor& dy, Real rate, DropoutKey key, Tensor dx) {
  check_size("dropout_backward", "dx", dx, dy.size());
  check_rate("dropout_backward", rate);
  count_elements(3 * dy.size(), dy.size());
  on(device_of("dropout_backward", dy, dx), [&] { cpu::dropout_backward(dy, rate, key, dx); });
}

void mix_in_log(Real share, const Tensor& x, Tensor y) {
  check_size("mix_in_log", "y", y, x.size());
  count_elements(3 * x.size(), 3 * x.size());
  on(device_of("mix_in_log", x, y), [&] { cpu::mix_in_log(share, x, y); });
}

}  // namespace heed::kernels
