//   y[i, :] = factor table[ids[i], :]
//   dtable[ids[i], :] += factor dy[i, :], row by row in the order of i
#include "autograd/ops.h"
#include "base/error.h"

namespace heed {

Var embedding(Tape& tape, const Parameter& table, const int32_t* ids, const Shape& shape,
              Real factor) {
  const OpScope scope("embedding");
  check(shape.rank() == 2, "[embedding] ids are [T, B]. Received {}", shape.text());
  Var y = tape.result({shape[0], shape[1], table.value.shape.last()}, !table.gradient.empty());
  kernels::gather_rows(table.value, ids, shape.size(), y.value(), factor);
  tape.record([&tape, y, w = &table, ids, count = shape.size(), factor] {
    if (!w->gradient.empty())
      kernels::scatter_add_rows(tape.gradient(y), ids, count, w->gradient, factor);
  });
  return y;
}

}  // namespace heed
