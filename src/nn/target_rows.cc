#include "nn/target_rows.h"

namespace heed {
namespace {

// Room for a number of rows, which are added one by one.
class RowList {
 public:
  RowList(Arena& arena, const Batch& batch, int64_t most)
      : batch_(batch), rows_(ints(arena, most)), targets_(ints(arena, most)) {}

  void add(int64_t t, int64_t b) {
    const int64_t row = t * batch_.B + b;
    rows_[count_] = static_cast<int32_t>(row);
    targets_[count_++] = batch_.target_out[static_cast<size_t>(row)];
  }
  TargetRows all() const { return {{rows_, count_}, targets_}; }

 private:
  static int32_t* ints(Arena& arena, int64_t count) {
    return static_cast<int32_t*>(arena.bytes(static_cast<size_t>(count) * sizeof(int32_t)));
  }

  const Batch& batch_;
  int32_t *rows_, *targets_;
  size_t count_ = 0;
};

}  // namespace

TargetRows real_rows(Arena& arena, const Batch& batch) {
  RowList rows(arena, batch, batch.target_tokens);
  for (int64_t t = 0; t < batch.T; ++t)
    for (int64_t b = 0; b < batch.B; ++b)
      if (t < batch.target_length[static_cast<size_t>(b)]) rows.add(t, b);
  return rows.all();
}

TargetRows last_rows(Arena& arena, const Batch& batch) {
  RowList rows(arena, batch, batch.B);
  for (int64_t b = 0; b < batch.B; ++b)
    rows.add(batch.target_length[static_cast<size_t>(b)] - 1, b);
  return rows.all();
}

}  // namespace heed
