// Every cell by its name in model.encoder.cell and model.decoder.cell.
#include "base/error.h"
#include "nn/cells/cell.h"

namespace heed {

using MakeCell = std::unique_ptr<Cell>(ParameterStore&, const std::string& name, int64_t input_size,
                                       int64_t hidden);
MakeCell make_gru, make_lstm;

namespace {

struct Row {
  const char* name;
  MakeCell* make;
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

}  // namespace heed
