// Attention against plain loops in double; gradients against central differences of those loops.
#include <rapidcheck.h>

#include "kernel_support.h"

namespace heed::kernels {
namespace {

using test::expect_near;
using test::kGradientTolerance;
using test::Numbers;
using test::random_numbers;
using test::view_of;
using Row = std::vector<double>;

struct Sizes {
  int64_t steps, batch, source, depth, width;
};

// Operands with lengths S, 0 and others, so that every kind of padding occurs.
struct Operands {
  Operands(const Sizes& n, ScoreKind kind, double size = 1)
      : sizes(n),
        queries(random_numbers({n.steps, n.batch, n.depth}, 1, size)),
        keys(random_numbers({n.source, n.batch, n.depth}, 2, size)),
        values(random_numbers({n.source, n.batch, n.width}, 3)),
        v(random_numbers({n.depth}, 4)),
        weights({n.steps, n.batch, n.source}, 7),
        context({n.steps, n.batch, n.width}, 7) {
    form.score = kind;
    form.scale = Real(0.7);
    if (kind == ScoreKind::additive) form.v = v;
    for (int64_t b = 0; b < n.batch; ++b)
      lengths.push_back(static_cast<int32_t>(b == 0 ? n.source : b * 5 % (n.source + 1)));
    if (n.batch > 2) lengths[1] = 0;
  }

  void forward() { attention_forward(form, {queries, keys, values}, mask(), {weights, context}); }
  AttentionMask mask() const { return {view_of(lengths), {}}; }

  Sizes sizes;
  Numbers queries, keys, values, v, weights, context;
  AttentionForm form;
  std::vector<int32_t> lengths;
};

size_t at(int64_t i) { return static_cast<size_t>(i); }

double plain_score(const Operands& o, const Row& q, const Row& k, const Row& v, int64_t t,
                   int64_t s, int64_t b) {
  double e = 0;
  for (int64_t a = 0; a < o.sizes.depth; ++a) {
    const double query = q[at((t * o.sizes.batch + b) * o.sizes.depth + a)];
    const double key = k[at((s * o.sizes.batch + b) * o.sizes.depth + a)];
    e += o.form.score == ScoreKind::dot ? static_cast<double>(o.form.scale) * query * key
                                        : v[at(a)] * std::tanh(query + key);
  }
  return e;
}

// queries, keys, values and v, concatenated -> weights, then context.
Row plain_attention(const Operands& o, const Row& in) {
  const auto cut = [&, from = in.begin()](const Numbers& like) mutable {
    const auto begin = from;
    from += static_cast<std::ptrdiff_t>(like.data.size());
    return Row(begin, from);
  };
  auto next = cut;
  const Row q = next(o.queries), k = next(o.keys), values = next(o.values), v = next(o.v);
  const Sizes& n = o.sizes;
  Row weights(o.weights.data.size()), context(o.context.data.size());
  for (int64_t row = 0; row < n.steps * n.batch; ++row) {
    const int64_t t = row / n.batch, b = row % n.batch;
    double sum = 0;
    for (int64_t s = 0; s < o.lengths[at(b)]; ++s)
      sum += weights[at(row * n.source + s)] = std::exp(plain_score(o, q, k, v, t, s, b));
    for (int64_t s = 0; s < o.lengths[at(b)]; ++s) {
      const double w = weights[at(row * n.source + s)] /= sum;
      for (int64_t d = 0; d < n.width; ++d)
        context[at(row * n.width + d)] += w * values[at((s * n.batch + b) * n.width + d)];
    }
  }
  weights.insert(weights.end(), context.begin(), context.end());
  return weights;
}

Row joined(std::initializer_list<const Numbers*> parts) {
  Row result;
  for (const Numbers* part : parts)
    result.insert(result.end(), part->data.begin(), part->data.end());
  return result;
}

const std::vector<Sizes> kForwardSizes = {{1, 1, 1, 1, 1},   {1, 3, 3, 17, 31}, {2, 5, 17, 65, 3},
                                          {3, 9, 5, 31, 65}, {1, 6, 31, 3, 17}, {0, 2, 3, 4, 5},
                                          {1, 0, 3, 4, 5}};

TEST(AttentionKernels, WorkedExample) {
  // softmax(1.8, 2.6, -1.0, 0.4), as worked out by hand.
  test::for_each_instruction_set([] {
    Numbers query({1, 1, 1}, 1), keys({4, 1, 1}, Row{1.8, 2.6, -1.0, 0.4});
    Numbers values({4, 1, 4}), weights({1, 1, 4}), context({1, 1, 4});
    for (size_t i = 0; i < 4; ++i) values.data[5 * i] = 1;
    attention_forward({}, {query, keys, values}, {view_of(std::vector{4}), {}}, {weights, context});
    const Row expected = {0.283, 0.630, 0.017, 0.070};
    for (int64_t s = 0; s < 4; ++s) {
      EXPECT_NEAR(weights[s], expected[at(s)], 0.0005);
      EXPECT_NEAR(context[s], expected[at(s)], 0.0005);
    }
  });
}

TEST(AttentionKernels, ForwardIsTheEquation) {
  test::for_each_instruction_set([] {
    for (const ScoreKind kind : {ScoreKind::dot, ScoreKind::additive}) {
      for (const Sizes& sizes : kForwardSizes) {
        Operands o(sizes, kind);
        o.forward();
        const Row in = joined({&o.queries, &o.keys, &o.values, &o.v});
        const Row got = joined({&o.weights, &o.context});
        expect_near(Numbers({static_cast<int64_t>(got.size())}, got), plain_attention(o, in),
                    10 * test::kTolerance);
      }
    }
  });
}

TEST(AttentionKernels, PaddingGetsNoWeightAndLengthZeroGivesZeros) {
  Operands o({2, 4, 5, 17, 31}, ScoreKind::additive);
  o.forward();
  for (int64_t row = 0; row < 8; ++row) {
    const int64_t length = o.lengths[at(row % 4)];
    for (int64_t s = length; s < 5; ++s) EXPECT_EQ(o.weights[row * 5 + s], 0);
    if (length > 0) continue;
    for (int64_t d = 0; d < 31; ++d) EXPECT_EQ(o.context[row * 31 + d], 0);
  }
}

TEST(AttentionKernels, PaddingIsNeverRead) {
  Operands o({1, 4, 5, 17, 31}, ScoreKind::additive);
  o.forward();
  const Numbers weights = o.weights, context = o.context;
  for (int64_t b = 0; b < 4; ++b)
    for (int64_t s = o.lengths[at(b)]; s < 5; ++s) {
      for (int64_t a = 0; a < 17; ++a) o.keys.data[at((s * 4 + b) * 17 + a)] = NAN;
      for (int64_t d = 0; d < 31; ++d) o.values.data[at((s * 4 + b) * 31 + d)] = NAN;
    }
  o.forward();
  EXPECT_EQ(o.weights.data, weights.data);
  EXPECT_EQ(o.context.data, context.data);
}

TEST(AttentionKernels, OneValidPositionGetsAllTheWeight) {
  Operands o({1, 1, 5, 17, 31}, ScoreKind::dot, 30);
  o.lengths[0] = 1;
  o.forward();
  EXPECT_EQ(o.weights[0], 1);
}

TEST(AttentionKernels, HugeScoresDoNotOverflow) {
  Operands o({1, 3, 5, 17, 31}, ScoreKind::dot, 1e4);
  o.forward();
  for (const Real w : o.weights.data) EXPECT_TRUE(w >= 0 && w <= 1);
}

struct Gradients {
  explicit Gradients(const Operands& o, Real start)
      : queries(o.queries.shape, start),
        keys(o.keys.shape, start),
        values(o.values.shape, start),
        v_rows({o.sizes.batch, o.sizes.depth}, start) {}
  Numbers queries, keys, values, v_rows;
};

// Gradients of all operands for random dcontext (and dweights), on top of `start`.
Gradients backward(Operands& o, Numbers& dcontext, const Tensor& dweights, Real start = 0) {
  Gradients d(o, start);
  o.forward();
  attention_backward(o.form, {o.queries, o.keys, o.values}, o.mask(), o.weights,
                     {dweights, dcontext},
                     {d.queries, d.keys, d.values,
                      o.form.score == ScoreKind::additive ? Tensor(d.v_rows) : Tensor()});
  return d;
}

void expect_gradients(const Sizes& sizes, ScoreKind kind, bool with_dweights) {
  Operands o(sizes, kind);
  Numbers dcontext = random_numbers(o.context.shape, 8);
  Numbers dweights = with_dweights ? random_numbers(o.weights.shape, 9) : Numbers(o.weights.shape);
  Gradients d = backward(o, dcontext, with_dweights ? Tensor(dweights) : Tensor(), Real(0.5));
  Numbers dv({sizes.depth});
  sum_rows(d.v_rows, dv);
  if (kind == ScoreKind::dot) fill(dv, Real(0.5) * static_cast<Real>(sizes.batch));
  const auto plain = [&](const Row& in) { return plain_attention(o, in); };
  Row expected = test::differences(plain, joined({&o.queries, &o.keys, &o.values, &o.v}),
                                   joined({&dweights, &dcontext}));
  const size_t v_begin = expected.size() - dv.data.size();
  for (size_t i = 0; i < expected.size(); ++i)
    expected[i] += i < v_begin ? 0.5 : 0.5 * static_cast<double>(sizes.batch);
  const Row got = joined({&d.queries, &d.keys, &d.values, &dv});
  expect_near(Numbers({static_cast<int64_t>(got.size())}, got), expected, kGradientTolerance);
}

TEST(AttentionKernels, BackwardIsTheDifferenceQuotient) {
  test::for_each_instruction_set([] {
    for (const ScoreKind kind : {ScoreKind::dot, ScoreKind::additive})
      for (const bool with_dweights : {false, true})
        for (const Sizes& sizes :
             {Sizes{1, 1, 1, 1, 1}, Sizes{2, 3, 3, 17, 3}, Sizes{1, 4, 6, 3, 17}})
          expect_gradients(sizes, kind, with_dweights);
  });
}

TEST(AttentionKernels, AreTheSameForAnyNumberOfThreads) {
  for (const ScoreKind kind : {ScoreKind::dot, ScoreKind::additive}) {
    test::expect_same_for_any_threads([&] {
      Operands o({2, 33, 7, 65, 31}, kind);
      Numbers dcontext = random_numbers(o.context.shape, 8);
      const Gradients d = backward(o, dcontext, {});
      return std::vector{o.weights.data, o.context.data, d.queries.data,
                         d.keys.data,    d.values.data,  d.v_rows.data};
    });
  }
}

TEST(AttentionKernels, WeightsAreADistributionAndTheContextIsBetweenTheValues) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    const int64_t source = *rc::gen::inRange<int64_t>(1, 20),
                  depth = *rc::gen::inRange<int64_t>(1, 40);
    const double size = *rc::gen::element(0.1, 1.0, 10.0);
    const ScoreKind kind = *rc::gen::element(ScoreKind::dot, ScoreKind::additive);
    Operands o({1, 1, source, depth, 3}, kind, size);
    o.queries = random_numbers(o.queries.shape, seed, size);
    o.lengths[0] = *rc::gen::inRange<int32_t>(1, static_cast<int32_t>(source) + 1);
    o.forward();
    double sum = 0;
    for (int64_t s = 0; s < source; ++s) {
      RC_ASSERT(o.weights[s] >= 0);
      sum += o.weights[s];
    }
    RC_ASSERT(std::abs(sum - 1) < 1e-5);
    for (int64_t d = 0; d < 3; ++d) {
      double low = o.values[d], high = low;
      for (int64_t s = 1; s < o.lengths[0]; ++s) {
        low = std::min(low, o.values[s * 3 + d]);
        high = std::max(high, o.values[s * 3 + d]);
      }
      RC_ASSERT(o.context[d] >= low - 1e-5 && o.context[d] <= high + 1e-5);
    }
  }));
}

// The score of one query and key of n independent normal numbers, recovered from the weights
// against a zero key: log(w / w0) = score.
double score_of_normals(int64_t n, Real scale, uint64_t seed) {
  Random random(seed);
  Numbers query({1, 1, n}), keys({2, 1, n}), values({2, 1, 1}), weights({1, 1, 2}),
      context({1, 1, 1});
  for (Real& x : query.data) x = static_cast<Real>(random.normal());
  for (size_t i = 0; i < at(n); ++i) keys.data[i] = static_cast<Real>(random.normal());
  AttentionForm form;
  form.scale = scale;
  attention_forward(form, {query, keys, values}, {view_of(std::vector{2}), {}}, {weights, context});
  return std::log(weights[0] / weights[1]);
}

TEST(AttentionKernels, DotScoresHaveVarianceDAndScaledOnesVarianceOne) {
  constexpr int64_t kDepth = 64;
  constexpr int kSamples = 4000;
  double plain = 0, scaled = 0;
  for (uint64_t i = 0; i < kSamples; ++i) {
    plain += std::pow(score_of_normals(kDepth, 1, i), 2) / kSamples;
    scaled += std::pow(score_of_normals(kDepth, Real(1 / 8.0), i), 2) / kSamples;
  }
  // The estimate's own relative standard error is sqrt(2 / 4000) = 2.2 %.
  EXPECT_NEAR(plain, kDepth, 0.1 * kDepth);
  EXPECT_NEAR(scaled, 1, 0.1);
}

// Sentence b has b * 2 % 5 queries, whose rows are contiguous. Each row of the result is that of
// the time-major kernel for this query alone.
TEST(AttentionKernels, RowsOfASentenceAreContiguousDuringSearch) {
  for (const ScoreKind kind : {ScoreKind::dot, ScoreKind::additive}) {
    Operands o({1, 7, 9, 21, 18}, kind);
    std::vector<int32_t> row_begin = {0};
    for (int32_t b = 0; b < 7; ++b) row_begin.push_back(row_begin.back() + b * 2 % 5);
    const int64_t M = row_begin.back();
    Numbers queries = random_numbers({M, 21}, 9), weights({M, 9}, 7), context({M, 18}, 7);
    AttentionMask mask = {view_of(o.lengths), view_of(row_begin)};
    attention_forward(o.form, {queries, o.keys, o.values}, mask, {weights, context});
    for (int64_t b = 0; b < 7; ++b)
      for (int64_t row = row_begin[at(b)]; row < row_begin[at(b) + 1]; ++row) {
        std::copy_n(&queries.data[at(row * 21)], 21, &o.queries.data[at(b * 21)]);
        o.forward();
        for (int64_t s = 0; s < 9; ++s)
          ASSERT_EQ(weights[at(row * 9 + s)], o.weights[at(b * 9 + s)]);
        for (int64_t i = 0; i < 18; ++i)
          ASSERT_EQ(context[at(row * 18 + i)], o.context[at(b * 18 + i)]);
      }
    // The same with other leading axes.
    Numbers weights3({1, M, 9}), context3({1, M, 18});
    const Tensor queries3 = Tensor(queries).reshaped({1, M, 21});
    attention_forward(o.form, {queries3, o.keys, o.values}, mask, {weights3, context3});
    EXPECT_EQ(weights3.data, weights.data);
    EXPECT_EQ(context3.data, context.data);
    mask.row_begin = mask.row_begin.slice(0, 7);
    EXPECT_THROW(attention_forward(o.form, {queries, o.keys, o.values}, mask, {weights, context}),
                 InternalError);
    if (!test::kChecksIds) continue;
    row_begin[3] = row_begin[4] + 1;
    mask.row_begin = view_of(row_begin);
    EXPECT_THROW(attention_forward(o.form, {queries, o.keys, o.values}, mask, {weights, context}),
                 InternalError);
  }
}

TEST(AttentionKernels, WrongShapesAndLengthsThrow) {
  Numbers q({1, 2, 3}), k({4, 2, 3}), values({4, 2, 5}), w({1, 2, 4}), c({1, 2, 5}), bad({1, 1, 1});
  Numbers rows({2, 3});
  const std::vector<int32_t> lengths = {4, 2}, one_length = {4};
  const auto run = [&](Tensor queries, Tensor keys, Tensor vals, const std::vector<int32_t>& l,
                       Tensor weights, Tensor context) {
    attention_forward({}, {queries, keys, vals}, {view_of(l), {}}, {weights, context});
  };
  EXPECT_NO_THROW(run(q, k, values, lengths, w, c));
  EXPECT_THROW(run(bad, k, values, lengths, w, c), InternalError);
  EXPECT_THROW(run(q, bad, values, lengths, w, c), InternalError);
  EXPECT_THROW(run(q, k, bad, lengths, w, c), InternalError);
  EXPECT_THROW(run(q, k, values, one_length, w, c), InternalError);
  EXPECT_THROW(run(q, k, values, lengths, bad, c), InternalError);
  EXPECT_THROW(run(q, k, values, lengths, w, bad), InternalError);
  if (test::kChecksIds) {
    EXPECT_THROW(run(q, k, values, {5, 2}, w, c), InternalError);
    EXPECT_THROW(run(q, k, values, {4, -1}, w, c), InternalError);
  }
  Numbers v({3});
  AttentionForm additive{ScoreKind::additive, 1, v};
  const AttentionMask mask{view_of(lengths), {}};
  const auto back = [&](const Tensor& dweights, const Tensor& v_rows) {
    attention_backward(additive, {q, k, values}, mask, w, {dweights, c}, {q, k, values, v_rows});
  };
  EXPECT_NO_THROW(back({}, rows));
  EXPECT_THROW(back({}, bad), InternalError);
  EXPECT_THROW(back(bad, rows), InternalError);
  additive.v = bad;
  EXPECT_THROW(attention_forward(additive, {q, k, values}, mask, {w, c}), InternalError);
}

}  // namespace
}  // namespace heed::kernels
