#include "nn/device_batch.h"

#include <vector>

#include "tensor/transfer.h"

namespace heed {
namespace {

// Rows collected on the host.
class RowList {
 public:
  explicit RowList(const Batch& batch) : batch_(batch) {}

  void add(int64_t t, int64_t b) {
    const int64_t row = t * batch_.B + b;
    rows_.push_back(static_cast<int32_t>(row));
    targets_.push_back(batch_.target_out[static_cast<size_t>(row)]);
  }

  TargetRows upload_to(Arena& arena, int64_t vocabulary) const {
    const Shape shape{std::ssize(rows_)};
    return {upload(arena, rows_, shape, {0, batch_.T * batch_.B}),
            upload(arena, targets_, shape, {0, vocabulary})};
  }

 private:
  const Batch& batch_;
  std::vector<int32_t> rows_, targets_;
};

int64_t length(const std::vector<int32_t>& lengths, int64_t b) {
  return lengths[static_cast<size_t>(b)];
}

}  // namespace

SourceBatch upload_source(Arena& arena, const Batch& batch, int64_t vocabulary) {
  const Shape steps{batch.S, batch.B};
  std::vector<uint8_t> valid;
  for (int64_t s = 0; s < batch.S; ++s)
    for (int64_t b = 0; b < batch.B; ++b) valid.push_back(s < length(batch.source_length, b));
  return {upload(arena, batch.source, steps, {0, vocabulary}),
          upload(arena, batch.source_length, {batch.B}, {0, batch.S + 1}),
          upload(arena, valid, steps)};
}

Ids upload_target_in(Arena& arena, const Batch& batch, int64_t vocabulary) {
  return upload(arena, batch.target_in, {batch.T, batch.B}, {0, vocabulary});
}

Ids upload_target_out(Arena& arena, const Batch& batch, int64_t vocabulary) {
  std::vector<int32_t> out = batch.target_out;
  for (int64_t t = 0; t < batch.T; ++t)
    for (int64_t b = 0; b < batch.B; ++b)
      if (t >= length(batch.target_length, b)) out[static_cast<size_t>(t * batch.B + b)] = -1;
  return upload(arena, out, {batch.T, batch.B}, {-1, vocabulary});
}

TargetRows upload_real_rows(Arena& arena, const Batch& batch, int64_t vocabulary) {
  RowList rows(batch);
  for (int64_t t = 0; t < batch.T; ++t)
    for (int64_t b = 0; b < batch.B; ++b)
      if (t < length(batch.target_length, b)) rows.add(t, b);
  return rows.upload_to(arena, vocabulary);
}

TargetRows upload_last_rows(Arena& arena, const Batch& batch, int64_t vocabulary) {
  RowList rows(batch);
  for (int64_t b = 0; b < batch.B; ++b) rows.add(length(batch.target_length, b) - 1, b);
  return rows.upload_to(arena, vocabulary);
}

}  // namespace heed
