// Of logits = h W^T + b the mean over rows of the smoothed cross-entropy (kernels.h,
// cross_entropy_in_place). With G = d loss / d logits [M, V]:
//   dh += G W,  dW += G^T h,  db += the column sums of G
// Rows go through in blocks: the logits of a block become G in place and are used up before the
// next block.
#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/round_up.h"

namespace heed {
namespace {

constexpr int64_t kTile = 64;  // rows of a product's tile

// Rows whose logits are in memory at once, at most: the more, the better the products, up to 48 MB;
// with large vocabularies still so many that the weight gradient is not read and written for a few.
int64_t most_rows(int64_t V) {
  constexpr int64_t kNumbers = 12 << 20;
  return std::clamp<int64_t>(kNumbers / std::max<int64_t>(V, 1) / kTile * kTile, 512, 768);
}

// M rows cut into parts as equal as whole tiles allow: a function of M and V alone.
int64_t rows_a_block(int64_t M, int64_t V) {
  const int64_t blocks = (M + most_rows(V) - 1) / most_rows(V);
  return round_up((M + blocks - 1) / blocks, kTile);
}

struct Projection {
  Tensor hidden;  // [M, R]
  const Parameter *weight, *bias;
  const int32_t* targets;
  Real smoothing;
  double *loss, *nll;
  bool recording;
  Tensor dhidden;  // [M, R]; empty where it is not needed

  void block(int64_t begin, int64_t end, Tensor logits) const {
    const Tensor h = hidden.slice(begin, end);
    kernels::gemm_packed(h, weight->packed_transposed(), bias->value, logits);
    if (!recording) {
      kernels::cross_entropy(logits, targets + begin, smoothing, loss + begin, nll + begin);
      return;
    }
    const Real scale = Real{1} / static_cast<Real>(hidden.shape[0]);
    kernels::cross_entropy_in_place(logits, targets + begin, smoothing, scale, loss + begin,
                                    nll + begin);
    if (!dhidden.empty())
      kernels::gemm_packed(logits, weight->packed(), dhidden.slice(begin, end), true);
    weight->add_gradient(logits, h);
    if (!bias->gradient.empty()) kernels::sum_rows(logits, bias->gradient);
  }

  void all_blocks(Arena& arena) const {
    const int64_t M = hidden.shape[0], V = weight->value.shape[0], rows = rows_a_block(M, V);
    const Arena::Mark scratch = arena.mark();
    // The same size for every batch, so that the arena's blocks fit the next one, too; what is not
    // touched takes no memory.
    const Tensor logits = arena.tensor({most_rows(V), V});
    for (int64_t begin = 0; begin < M; begin += rows) {
      const int64_t end = std::min(M, begin + rows);
      block(begin, end, logits.slice(0, end - begin));
    }
    arena.release(scratch);
  }
};

double sum(const double* values, int64_t count) {
  double total = 0;
  for (int64_t i = 0; i < count; ++i) total += values[i];
  return total;
}

}  // namespace

CrossEntropyResult project_and_cross_entropy(Tape& tape, Var hidden, const Parameter& weight,
                                             const Parameter& bias, const int32_t* targets,
                                             Real smoothing) {
  const OpScope scope("project_and_cross_entropy");
  const Shape& shape = hidden.shape();
  check(shape.rank() == 2 && shape[0] > 0 && shape[1] == weight.value.shape.last(),
        "[project_and_cross_entropy] hidden is [M, {}] with M > 0. Received {}",
        weight.value.shape.last(), shape.text());
  const int64_t M = shape[0];
  Arena& arena = tape.arena();
  const auto doubles = [&] {
    return static_cast<double*>(arena.bytes(static_cast<size_t>(M) * sizeof(double)));
  };
  const Projection p{
      .hidden = hidden.value(),
      .weight = &weight,
      .bias = &bias,
      .targets = targets,
      .smoothing = smoothing,
      .loss = doubles(),
      .nll = doubles(),
      .recording = tape.recording(),
      .dhidden = hidden.needs_gradient() ? tape.gradient(hidden) : Tensor{},
  };
  Var loss = tape.result(Shape{}, true);
  p.all_blocks(arena);
  loss.value().data[0] = static_cast<Real>(sum(p.loss, M) / static_cast<double>(M));
  tape.record([&tape, loss] {
    const Real upstream = tape.gradient(loss).data[0];
    check(upstream == 1,
          "[project_and_cross_entropy] the loss is the end of the tape. Received the gradient {}",
          static_cast<double>(upstream));
  });
  return {loss, sum(p.nll, M)};
}

}  // namespace heed
