// Of logits = h W^T + b the mean over rows of the smoothed cross-entropy (kernels.h,
// cross_entropy_in_place). With G = d loss / d logits [M, V]:
//   dh += G W,  dW += G^T h,  db += the column sums of G
// Rows are processed in blocks: G overwrites the logits of a block and is used up before
// the next block.
#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/round_up.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

constexpr int64_t kTile = 64;  // rows of a product's tile

// The most rows whose logits are in memory at once. More rows make the products faster, up to 48 MB
// of logits; a large vocabulary keeps 512, since each block reads and writes the weight gradient.
int64_t most_rows(int64_t V) {
  constexpr int64_t kElements = 12 << 20;
  return std::clamp<int64_t>(kElements / std::max<int64_t>(V, 1) / kTile * kTile, 512, 768);
}

// M rows cut into blocks as equal as whole tiles allow: a function of M and V alone.
int64_t rows_per_block(int64_t M, int64_t V) {
  const int64_t blocks = (M + most_rows(V) - 1) / most_rows(V);
  return round_up((M + blocks - 1) / blocks, kTile);
}

struct Projection {
  Tensor hidden;  // [M, R]
  const Parameter *weight, *bias;
  Ids targets;  // [M]
  Real smoothing;
  kernels::RowLosses losses;
  bool recording;
  Tensor dhidden;  // [M, R]; empty if it is not needed

  void block(int64_t begin, int64_t end, Tensor logits) const {
    const Tensor h = hidden.slice(begin, end);
    kernels::gemm_packed(h, weight->packed_transposed(), bias->value, logits);
    const Ids wanted = targets.slice(begin, end);
    const kernels::RowLosses of_block{losses.smoothed.slice(begin, end),
                                      losses.nll.slice(begin, end)};
    if (!recording) return kernels::cross_entropy(logits, wanted, smoothing, of_block);
    const Real scale = Real{1} / static_cast<Real>(hidden.shape[0]);
    kernels::cross_entropy_in_place(logits, wanted, smoothing, scale, of_block);
    if (!dhidden.empty())
      kernels::gemm_packed(logits, weight->packed(), dhidden.slice(begin, end), true);
    weight->add_gradient(logits, h);
    if (!bias->gradient.empty()) kernels::sum_rows(logits, bias->gradient);
  }

  void all_blocks(Arena& arena) const {
    const int64_t M = hidden.shape[0], V = weight->value.shape[0], rows = rows_per_block(M, V);
    const Arena::Mark scratch = arena.mark();
    // The same size for every batch, so that the arena's blocks fit the next one, too. Pages that
    // are not touched take no memory.
    const Tensor logits = arena.tensor({most_rows(V), V});
    for (int64_t begin = 0; begin < M; begin += rows) {
      const int64_t end = std::min(M, begin + rows);
      block(begin, end, logits.slice(0, end - begin));
    }
    arena.release(scratch);
  }
};

}  // namespace

CrossEntropyResult project_and_cross_entropy(Tape& tape, Var hidden, const Parameter& weight,
                                             const Parameter& bias, const Ids& targets,
                                             Real smoothing) {
  const OpScope scope("project_and_cross_entropy");
  const Shape& shape = hidden.shape();
  check(shape.rank() == 2 && shape[0] > 0 && shape[1] == weight.value.shape.last(),
        "[project_and_cross_entropy] hidden is [M, {}] with M > 0. Received {}",
        weight.value.shape.last(), shape);
  const int64_t M = shape[0];
  check(targets.size() == M,
        "[project_and_cross_entropy] a target for each row. Received {} for {}", targets.shape,
        shape);
  Arena& arena = tape.arena();
  const Projection p{
      .hidden = hidden.value(),
      .weight = &weight,
      .bias = &bias,
      .targets = targets,
      .smoothing = smoothing,
      .losses = {arena.array<double>({M}), arena.array<double>({M})},
      .recording = tape.recording(),
      .dhidden = hidden.needs_gradient() ? tape.gradient(hidden) : Tensor{},
  };
  Var loss = tape.result(Shape{}, true);
  p.all_blocks(arena);
  const Sums totals = arena.array<double>({3});
  kernels::sum_losses(p.losses, loss.value(), totals.slice(0, 2));
  tape.record([&tape, loss] {
    const Tensor upstream = tape.gradient(loss);
    // On other devices a look at one number would wait for all that was computed before it.
    check(upstream.device != Device::cpu || item(upstream) == 1,
          "[project_and_cross_entropy] the gradient of the loss must be 1");
  });
  return {loss, totals};
}

}  // namespace heed
