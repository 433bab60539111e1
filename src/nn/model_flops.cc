// Operations of the matrix products of one training update: the work that any implementation of
// this model has to do.
//
// A product [M, K] x [K, N] costs 2 M K N forward, and twice that backward (one product for each
// operand's gradient): 6 M K N in all. M counts real tokens, padding excluded. Attention is counted
// as two such products, of each query with the keys of its sentence (A numbers each) and of its
// weights with the values (D numbers each). Gates, softmax, the tanh of additive scores, dropout
// and the optimizer are left out: they are bandwidth and evaluations, not products.
//
// A profile by op (kernels/work.h) counts something else: what the GEMM was called for, padding
// included. Attention calls no GEMM, as the keys and values of a sentence are met by its own
// queries only and in one pass with mask and softmax; so `attend` has 0 GFLOP there, and bytes and
// evaluations against which it is judged.
#include "nn/model.h"
#include "nn/parts.h"

namespace heed {
namespace {

double cell_multiplications(int64_t gates, int64_t input, int64_t hidden) {
  return static_cast<double>(gates * hidden) * static_cast<double>(input + hidden);
}

}  // namespace

double Model::training_flops(const Batch& batch) const {
  const auto& c = config_;
  const int64_t gates_e = c.encoder.cell == "lstm" ? 4 : 3,
                gates_d = c.decoder.cell == "lstm" ? 4 : 3;
  const int64_t directions = c.encoder.bidirectional ? 2 : 1;
  const int64_t D = parts_->encoder->state_size(), Hd = c.decoder.hidden,
                R = parts_->decoder->readout_size();
  const bool bahdanau = c.decoder.style != "luong";
  const std::string& score = c.attention.score;
  const bool own_size = score == "additive" || score == "concat";
  const int64_t A = own_size ? c.attention.size : Hd;

  double source = 0;  // multiplications a source token
  for (int l = 0; l < c.encoder.layers; ++l)
    source += static_cast<double>(directions) *
              cell_multiplications(gates_e, l == 0 ? c.embedding : D, c.encoder.hidden);
  if (own_size || score == "general") source += static_cast<double>(D * A);

  double target = 0;  // multiplications a target token
  for (int l = 0; l < c.decoder.layers; ++l)
    target += cell_multiplications(gates_d, l == 0 ? c.embedding : Hd, Hd);
  if (bahdanau) target += static_cast<double>(gates_d * Hd * D);
  if (c.decoder.input_feeding) target += static_cast<double>(gates_d * Hd * R);
  if (own_size) target += static_cast<double>(Hd * A);
  target += static_cast<double>((Hd + D + (bahdanau ? c.embedding : 0)) * R);
  target += static_cast<double>(R * target_vocabulary_);

  double total = 0, pairs = 0;  // pairs of a source and a target token that meet in attention
  for (int64_t b = 0; b < batch.B; ++b) {
    const double s = batch.source_length[static_cast<size_t>(b)],
                 t = batch.target_length[static_cast<size_t>(b)];
    total += source * s + target * t;
    pairs += s * t;
  }
  if (has_attention()) total += pairs * static_cast<double>(A + D);
  return 6 * total;
}

}  // namespace heed
