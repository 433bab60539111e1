// Kernels of recurrent cells.
#include "tensor/kernels/cells.h"

#include "tensor/kernels/checks.h"
#include "tensor/kernels/cpu/cells.h"
#include "tensor/kernels/front/dispatch.h"
#include "tensor/kernels/work.h"

namespace heed::kernels {
namespace {

void check_valid(const char* kernel, const Flags& valid, int64_t rows) {
  if (!valid.empty()) check_size(kernel, "valid", valid, rows);
}

}  // namespace

void gru_forward(const Tensor& x, const Tensor& hid, const Tensor& h, const Flags& valid,
                 Tensor gates, Tensor next) {
  const char* kernel = "gru_forward";
  const int64_t H = h.shape.last(), B = h.shape.rows();
  check_matrix(kernel, "x", x, B, 3 * H);
  check_matrix(kernel, "hid", hid, B, 3 * H);
  check_valid(kernel, valid, B);
  check_matrix(kernel, "gates", gates, B, 3 * H);
  check_matrix(kernel, "next", next, B, H);
  count_elements(11 * B * H, 3 * B * H);
  on(device_of(kernel, x, hid, h, valid, gates, next),
     [&] { cpu::gru_forward(x, hid, h, valid, gates, next); });
}

void gru_backward(const Tensor& dnext, const GruStep& step, Tensor dx, Tensor dhid, Tensor dh) {
  const char* kernel = "gru_backward";
  const int64_t H = step.h.shape.last(), B = step.h.shape.rows();
  check_matrix(kernel, "dnext", dnext, B, H);
  check_matrix(kernel, "gates", step.gates, B, 3 * H);
  check_matrix(kernel, "hid", step.hid, B, 3 * H);
  check_valid(kernel, step.valid, B);
  check_matrix(kernel, "dx", dx, B, 3 * H);
  check_matrix(kernel, "dhid", dhid, B, 3 * H);
  check_matrix(kernel, "dh", dh, B, H);
  count_elements(16 * B * H);
  on(device_of(kernel, dnext, step.gates, step.hid, step.h, step.valid, dx, dhid, dh),
     [&] { cpu::gru_backward(dnext, step, dx, dhid, dh); });
}

void lstm_forward(const Tensor& x, const LstmState& state, const Flags& valid, Tensor gates,
                  const LstmState& next) {
  const char* kernel = "lstm_forward";
  const int64_t H = state.h.shape.last(), B = state.h.shape.rows();
  check_matrix(kernel, "x", x, B, 4 * H);
  check_matrix(kernel, "c", state.c, B, H);
  check_valid(kernel, valid, B);
  check_matrix(kernel, "gates", gates, B, 4 * H);
  check_matrix(kernel, "next.h", next.h, B, H);
  check_matrix(kernel, "next.c", next.c, B, H);
  count_elements(11 * B * H, 5 * B * H);
  on(device_of(kernel, x, state.h, state.c, valid, gates, next.h, next.c),
     [&] { cpu::lstm_forward(x, state, valid, gates, next); });
}

void lstm_backward(const LstmState& dnext, const LstmStep& step, Tensor dx,
                   const LstmState& dstate) {
  const char* kernel = "lstm_backward";
  const int64_t H = step.c.shape.last(), B = step.c.shape.rows();
  check_matrix(kernel, "dnext.h", dnext.h, B, H);
  check_matrix(kernel, "dnext.c", dnext.c, B, H);
  check_matrix(kernel, "gates", step.gates, B, 4 * H);
  check_matrix(kernel, "next_c", step.next_c, B, H);
  check_valid(kernel, step.valid, B);
  check_matrix(kernel, "dx", dx, B, 4 * H);
  check_matrix(kernel, "dstate.h", dstate.h, B, H);
  check_matrix(kernel, "dstate.c", dstate.c, B, H);
  count_elements(14 * B * H, B * H);
  on(device_of(kernel, dnext.h, dnext.c, step.gates, step.c, step.next_c, step.valid, dx, dstate.h,
               dstate.c),
     [&] { cpu::lstm_backward(dnext, step, dx, dstate); });
}

}  // namespace heed::kernels
