#include "base/error.h"
#include "nn/cells/cell.h"

namespace heed {
namespace {

struct Row {
  const char* name;
  std::unique_ptr<Cell> (*make)(ParameterStore&, const std::string&, int64_t, int64_t);
};

constexpr Row kCells[] = {
    {"gru", make_gru},
    {"lstm", make_lstm},
};

}  // namespace

std::unique_ptr<Cell> make_cell(const std::string& kind, ParameterStore& store,
                                const std::string& name, int64_t input_size, int64_t hidden) {
  for (const Row& row : kCells)
    if (kind == row.name) return row.make(store, name, input_size, hidden);
  fail("unknown cell '{}'", kind);
}

std::vector<std::string> cell_names() {
  std::vector<std::string> names;
  for (const Row& row : kCells) names.emplace_back(row.name);
  return names;
}

Var Cell::input_bias(Tape& tape, int64_t T, int64_t B) const {
  return broadcast(tape, input_bias_, {T, B, gates() * hidden_});
}

RecurrentMask::RecurrentMask(Tape& tape, const Shape& shape, Real rate, kernels::DropoutKey key)
    : tape_(tape) {
  const Tensor mask = dropout_mask(tape, shape, rate, key);
  if (!mask.empty()) mask_ = tape.constant(mask);
}

Var RecurrentMask::operator()(Var h) const { return mask_ ? multiply(tape_, h, mask_) : h; }

}  // namespace heed
