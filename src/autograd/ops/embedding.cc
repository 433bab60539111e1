//   y[t, b, :] = factor table[ids[t, b], :]
//   dtable[ids[t, b], :] += factor dy[t, b, :], in the order of rows
#include "autograd/ops.h"
#include "base/error.h"

namespace heed {

Var embedding(Tape& tape, const Parameter& table, const Ids& ids, Real factor) {
  const OpScope scope("embedding");
  check(ids.shape.rank() == 2, "[embedding] ids are [T, B]. Received {}", ids.shape);
  Var y =
      tape.result({ids.shape[0], ids.shape[1], table.value.shape.last()}, !table.gradient.empty());
  const Ids rows = ids.reshaped({ids.size()});
  kernels::gather_rows(table.value, rows, y.value(), factor);
  tape.record([&tape, y, w = &table, rows, factor] {
    if (!w->gradient.empty())
      kernels::scatter_add_rows(tape.gradient(y), rows, w->gradient, factor);
  });
  return y;
}

}  // namespace heed
