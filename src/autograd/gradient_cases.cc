#include <algorithm>

#include "autograd/gradient_check.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

// Small, odd, unequal sizes, so that no two letters can be mixed up unnoticed.
constexpr int64_t T = 4, B = 3, S = 5, E = 2, H = 3, D = 7, A = 6, V = 11;
constexpr int32_t kIds[] = {3, 0, 10, 3, 3, 7, 1, 2, 9, 3, 0, 4};  // [T, B], with repetitions
constexpr int32_t kLengths[] = {5, 1, 3};                          // of [S, B]
constexpr int32_t kSequenceLengths[] = {4, 1, 3};                  // of [T, B]
constexpr int32_t kRows[] = {11, 0, 5, 5};
constexpr int32_t kTargets[] = {1, 10, 0, 4, 4};
constexpr kernels::DropoutKey kKey{5, 6};

SequenceOptions sequence_options(Tape& tape, bool reverse, Real recurrent_dropout) {
  std::vector<uint8_t> valid;
  for (int64_t t = 0; t < T; ++t)
    for (const int32_t length : kSequenceLengths) valid.push_back(t < length);
  return {upload(tape.arena(), std::span<const uint8_t>(valid), {T, B}), reverse, recurrent_dropout,
          kKey};
}

// A copy that the op may overwrite.
Consumed own(Tape& tape, Var x) {
  Var y = tape.result(x.shape(), true);
  copy_rows(tape, x, y);
  return tape.consume(y);
}

Var gru(Tape& tape, Inputs x, Parameters p, bool reverse, Real rate) {
  return gru_sequence(tape, own(tape, x[0]), *p[0], *p[1], x[1],
                      sequence_options(tape, reverse, rate));
}

Var lstm(Tape& tape, Inputs x, Parameters p, bool reverse, Real rate) {
  return lstm_sequence(tape, own(tape, x[0]), *p[0], {x[1], x[2]},
                       sequence_options(tape, reverse, rate));
}

Attended attended(Tape& tape, Inputs x, const AttendForm& form) {
  const int64_t Tq = x[0].shape()[0];
  const Attended into{tape.result({Tq, B, D}, true), tape.result({Tq, B, S}, true)};
  const Ids lengths = upload(tape.arena(), kLengths, {B}, {0, S + 1});
  attend(tape, form, {x[0], x[1], x[2], {lengths, {}}}, into);
  return into;
}

Var attention(Tape& tape, Inputs x, const AttendForm& form) {
  return attended(tape, x, form).context;
}

// Weights that a further op reads send a gradient back as well.
Var context_and_weights(Tape& tape, Inputs x, const AttendForm& form) {
  const Attended all = attended(tape, x, form);
  return concat(tape, all.context, all.weights);
}

Var collected(Tape& tape, Inputs x, Parameters p) {
  Var into = broadcast(tape, p[1], {T, B, D});
  CollectedLinear copying(tape, *p[0], into), product(tape, *p[0], into, x[0]);
  for (int64_t t = 0; t < T; ++t) {
    const Var x_t = tape.at(x[0], t);
    copying.step(t, x_t);
    product.step(t, x_t);
  }
  return into;
}

Var gru_steps(Tape& tape, Inputs x, Parameters) {
  Var next = tape.result(x[2].shape(), true);
  gru_step(tape, own(tape, x[0]), own(tape, x[1]), x[2], next);
  return next;
}

Var lstm_steps(Tape& tape, Inputs x, Parameters) {
  Var h = tape.result(x[1].shape(), true), c = tape.result(x[1].shape(), true);
  lstm_step(tape, own(tape, x[0]), {x[1], x[2]}, {h, c});
  return concat(tape, h, c);
}

Var tanh_step(Tape& tape, Inputs x, Parameters) {
  Var y = tape.result(x[0].shape(), true);
  for (int64_t t = 0; t < T; ++t) tanh_into(tape, tape.at(x[0], t), tape.at(y, t));
  return y;
}

Var copied(Tape& tape, Inputs x, Parameters) {
  Var y = tape.result(x[0].shape(), true);
  copy_rows(tape, x[0], y);
  return y;
}

Var weighted(Tape& tape, Inputs x, Parameters) {
  std::vector<Real> weights(static_cast<size_t>(x[0].shape().size()));
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<Real>(i) / 4 - 1;
  return weighted_sum(tape, x[0], upload(tape.arena(), weights, x[0].shape()));
}

std::vector<GradientCase> rows() {
  using kernels::ScoreKind;
  const Shape seq{T, B, E}, steps3{T, B, 3 * H}, steps4{T, B, 4 * H}, state{B, H};
  return {
      {"linear",
       {seq},
       {{E, D}, {D}},
       [](Tape& t, Inputs x, Parameters p) { return linear(t, x[0], *p[0], p[1]); }},
      {"linear_transposed",
       {seq},
       {{D, E}, {D}},
       [](Tape& t, Inputs x, Parameters p) { return linear_transposed(t, x[0], *p[0], p[1]); }},
      {"add_linear",
       {seq, {T, B, D}},
       {{E, D}},
       [](Tape& t, Inputs x, Parameters p) {
         Var into = t.result(x[1].shape(), true);
         copy_rows(t, x[1], into);
         add_linear(t, x[0], *p[0], into);
         return into;
       }},
      {"broadcast",
       {},
       {{D}},
       [](Tape& t, Inputs, Parameters p) {
         return broadcast(t, p[0], {T, B, D});
       }},
      {"embedding",
       {},
       {{V, E}},
       [](Tape& t, Inputs, Parameters p) {
         return embedding(t, *p[0], upload(t.arena(), kIds, {T, B}, {0, V}), Real{3});
       }},
      {"collected_linear", {seq}, {{E, D}, {D}}, collected},
      {"add", {seq, seq}, {}, [](Tape& t, Inputs x, Parameters) { return add(t, x[0], x[1]); }},
      {"multiply",
       {seq, seq},
       {},
       [](Tape& t, Inputs x, Parameters) { return multiply(t, x[0], x[1]); }},
      {"tanh", {seq}, {}, [](Tape& t, Inputs x, Parameters) { return tanh(t, x[0]); }},
      {"tanh_into", {seq}, {}, tanh_step},
      {"sigmoid", {seq}, {}, [](Tape& t, Inputs x, Parameters) { return sigmoid(t, x[0]); }},
      {"dropout",
       {seq},
       {},
       [](Tape& t, Inputs x, Parameters) { return dropout(t, x[0], Real{0.5}, kKey); }},
      {"drop_rows",
       {seq},
       {},
       [](Tape& t, Inputs x, Parameters) { return drop_rows(t, x[0], Real{0.5}, kKey); }},
      {"concat",
       {seq, steps3},
       {},
       [](Tape& t, Inputs x, Parameters) { return concat(t, x[0], x[1]); }},
      {"select_rows",
       {seq},
       {},
       [](Tape& t, Inputs x, Parameters) {
         return select_rows(t, x[0], upload(t.arena(), kRows, {std::ssize(kRows)}, {0, T * B}));
       }},
      {"repeat", {state}, {}, [](Tape& t, Inputs x, Parameters) { return repeat(t, x[0], T); }},
      {"copy_rows", {state}, {}, copied},
      {"weighted_sum", {seq}, {}, weighted},
      {"gru_sequence",
       {steps3, state},
       {{H, 3 * H}, {3 * H}},
       [](Tape& t, Inputs x, Parameters p) { return gru(t, x, p, false, 0); }},
      {"gru_sequence, reverse, dropout",
       {steps3, state},
       {{H, 3 * H}, {3 * H}},
       [](Tape& t, Inputs x, Parameters p) { return gru(t, x, p, true, Real{0.4}); }},
      {"lstm_sequence",
       {steps4, state, state},
       {{H, 4 * H}},
       [](Tape& t, Inputs x, Parameters p) { return lstm(t, x, p, false, 0); }},
      {"lstm_sequence, reverse, dropout",
       {steps4, state, state},
       {{H, 4 * H}},
       [](Tape& t, Inputs x, Parameters p) { return lstm(t, x, p, true, Real{0.4}); }},
      {"gru_step", {{B, 3 * H}, {B, 3 * H}, state}, {}, gru_steps},
      {"lstm_step", {{B, 4 * H}, state, state}, {}, lstm_steps},
      {"attend, dot",
       {{T, B, A}, {S, B, A}, {S, B, D}},
       {},
       [](Tape& t, Inputs x, Parameters) {
         return attention(t, x, {ScoreKind::dot, Real{0.5}, nullptr});
       }},
      {"attend, additive",
       {{T, B, A}, {S, B, A}, {S, B, D}},
       {{A}},
       [](Tape& t, Inputs x, Parameters p) {
         return attention(t, x, {ScoreKind::additive, 1, p[0]});
       }},
      {"attend, dot, weights",
       {{T, B, A}, {S, B, A}, {S, B, D}},
       {},
       [](Tape& t, Inputs x, Parameters) {
         return context_and_weights(t, x, {ScoreKind::dot, Real{0.5}, nullptr});
       }},
      {"attend, additive, weights",
       {{T, B, A}, {S, B, A}, {S, B, D}},
       {{A}},
       [](Tape& t, Inputs x, Parameters p) {
         return context_and_weights(t, x, {ScoreKind::additive, 1, p[0]});
       }},
      {"project_and_cross_entropy",
       {{5, E}},
       {{V, E}, {V}},
       [](Tape& t, Inputs x, Parameters p) {
         const Ids targets = upload(t.arena(), kTargets, {std::ssize(kTargets)}, {0, V});
         return project_and_cross_entropy(t, x[0], *p[0], *p[1], targets, Real{0.1}).loss;
       }},
  };
}

}  // namespace

const std::vector<GradientCase>& gradient_cases() {
  static const std::vector<GradientCase> all = rows();
  return all;
}

}  // namespace heed
