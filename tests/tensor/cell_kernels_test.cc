// GRU and LSTM steps against plain loops in double; gradients against central differences
// of those loops.
#include "kernel_support.h"

namespace heed::kernels {
namespace {

using test::expect_near;
using test::kGradientTolerance;
using test::Numbers;
using test::random_numbers;
using test::view_of;
using Row = std::vector<double>;

double sigmoid_plain(double x) { return 1 / (1 + std::exp(-x)); }

// Rows of x [3H], hid [3H], h [H], concatenated -> h' [H].
Row plain_gru(const Row& in, size_t n) {
  const double *x = in.data(), *hid = x + 3 * n, *h = hid + 3 * n;
  Row next;
  for (size_t i = 0; i < n; ++i) {
    const double r = sigmoid_plain(x[i] + hid[i]), z = sigmoid_plain(x[n + i] + hid[n + i]);
    const double candidate = std::tanh(x[2 * n + i] + r * hid[2 * n + i]);
    next.push_back((1 - z) * candidate + z * h[i]);
  }
  return next;
}

// Rows of x + hid [4H], c [H] -> h' [H], c' [H].
Row plain_lstm(const Row& in, size_t n) {
  const double *x = in.data(), *c = x + 4 * n;
  Row next(2 * n);
  for (size_t i = 0; i < n; ++i) {
    const double cell =
        sigmoid_plain(x[n + i]) * c[i] + sigmoid_plain(x[i]) * std::tanh(x[2 * n + i]);
    next[i] = sigmoid_plain(x[3 * n + i]) * std::tanh(cell);
    next[n + i] = cell;
  }
  return next;
}

Row row_of(const Numbers& x, int64_t b) {
  const int64_t n = x.shape.last();
  Row row;
  for (int64_t i = 0; i < n; ++i) row.push_back(x[b * n + i]);
  return row;
}

Row joined(const Row& a, const Row& b) {
  Row result = a;
  result.insert(result.end(), b.begin(), b.end());
  return result;
}

struct Gru {
  Gru(int64_t batch, int64_t n)
      : x(random_numbers({batch, 3 * n}, 1, 2)),
        hid(random_numbers({batch, 3 * n}, 2, 2)),
        h(random_numbers({batch, n}, 3)),
        gates({batch, 3 * n}),
        next({batch, n}) {
    for (int64_t b = 0; b < batch; ++b) valid.push_back(b % 3 != 1);
    gru_forward(x, hid, h, view_of(valid), gates, next);
  }
  Row input(int64_t b) const { return joined(joined(row_of(x, b), row_of(hid, b)), row_of(h, b)); }

  Numbers x, hid, h, gates, next;
  std::vector<uint8_t> valid;
};

TEST(GruKernels, ForwardIsTheEquationAndPaddingKeepsTheState) {
  test::for_each_instruction_set([] {
    for (const int64_t n : {1, 3, 17, 31, 65}) {
      const Gru gru(5, n);
      Row expected;
      for (int64_t b = 0; b < 5; ++b)
        expected = joined(expected, b % 3 == 1 ? row_of(gru.h, b)
                                               : plain_gru(gru.input(b), static_cast<size_t>(n)));
      expect_near(gru.next, expected);
    }
  });
}

TEST(GruKernels, BackwardIsTheDifferenceQuotient) {
  test::for_each_instruction_set([] {
    for (const int64_t n : {1, 3, 17}) {
      Gru gru(4, n);
      Numbers dnext = random_numbers({4, n}, 7), dx({4, 3 * n}, 9), dhid({4, 3 * n}, 9);
      Numbers dh = random_numbers({4, n}, 8);
      const Numbers before = dh;
      gru_backward(dnext, {gru.gates, gru.hid, gru.h, view_of(gru.valid)}, dx, dhid, dh);
      for (int64_t b = 0; b < 4; ++b) {
        Row expected(static_cast<size_t>(7 * n));
        if (gru.valid[static_cast<size_t>(b)]) {
          const auto plain = [&](const Row& in) { return plain_gru(in, static_cast<size_t>(n)); };
          expected = test::differences(plain, gru.input(b), row_of(dnext, b));
        } else {
          for (int64_t i = 0; i < n; ++i)
            expected[static_cast<size_t>(6 * n + i)] = dnext[b * n + i];
        }
        for (int64_t i = 0; i < n; ++i)
          expected[static_cast<size_t>(6 * n + i)] += before[b * n + i];
        const Row got = joined(joined(row_of(dx, b), row_of(dhid, b)), row_of(dh, b));
        expect_near(Numbers({7 * n}, got), expected, kGradientTolerance);
      }
    }
  });
}

TEST(GruKernels, MayOverwriteTheirOperands) {
  test::for_each_instruction_set([] {
    Gru gru(4, 21);
    Numbers dnext = random_numbers({4, 21}, 7), dx({4, 63}), dhid({4, 63}), dh({4, 21});
    gru_backward(dnext, {gru.gates, gru.hid, gru.h, view_of(gru.valid)}, dx, dhid, dh);
    Numbers place = gru.x, hid = gru.hid, next({4, 21}), dh_again({4, 21});
    gru_forward(place, hid, gru.h, view_of(gru.valid), place, next);
    EXPECT_EQ(place.data, gru.gates.data);
    EXPECT_EQ(next.data, gru.next.data);
    gru_backward(dnext, {place, hid, gru.h, view_of(gru.valid)}, place, hid, dh_again);
    EXPECT_EQ(place.data, dx.data);
    EXPECT_EQ(hid.data, dhid.data);
    EXPECT_EQ(dh_again.data, dh.data);
  });
}

TEST(GruKernels, NoFlagsMeanThatAllRowsAreValid) {
  Numbers x = random_numbers({3, 15}, 1), hid = random_numbers({3, 15}, 2);
  Numbers h = random_numbers({3, 5}, 3), gates({3, 15}), next({3, 5}), other({3, 5});
  const std::vector<uint8_t> valid(3, 1);
  gru_forward(x, hid, h, {}, gates, next);
  gru_forward(x, hid, h, view_of(valid), gates, other);
  EXPECT_EQ(next.data, other.data);
  EXPECT_NE(next.data, h.data);
}

TEST(GruKernels, AreTheSameForAnyNumberOfThreads) {
  test::expect_same_for_any_threads([] {
    Gru gru(90, 513);
    Numbers dnext = random_numbers({90, 513}, 7), dx({90, 3 * 513}), dhid({90, 3 * 513});
    Numbers dh({90, 513});
    gru_backward(dnext, {gru.gates, gru.hid, gru.h, view_of(gru.valid)}, dx, dhid, dh);
    return std::vector{gru.next.data, dx.data, dhid.data, dh.data};
  });
}

struct Lstm {
  Lstm(int64_t batch, int64_t n)
      : x(random_numbers({batch, 4 * n}, 1, 2)),
        h(random_numbers({batch, n}, 3)),
        c(random_numbers({batch, n}, 4)),
        gates({batch, 4 * n}),
        next_h({batch, n}),
        next_c({batch, n}) {
    for (int64_t b = 0; b < batch; ++b) valid.push_back(b % 3 != 1);
    lstm_forward(x, {h, c}, view_of(valid), gates, {next_h, next_c});
  }
  Row input(int64_t b) const { return joined(row_of(x, b), row_of(c, b)); }

  Numbers x, h, c, gates, next_h, next_c;
  std::vector<uint8_t> valid;
};

TEST(LstmKernels, ForwardIsTheEquationAndPaddingKeepsTheState) {
  test::for_each_instruction_set([] {
    for (const int64_t n : {1, 3, 17, 31, 65}) {
      const Lstm lstm(5, n);
      for (int64_t b = 0; b < 5; ++b) {
        const Row expected = b % 3 == 1 ? joined(row_of(lstm.h, b), row_of(lstm.c, b))
                                        : plain_lstm(lstm.input(b), static_cast<size_t>(n));
        const Row got = joined(row_of(lstm.next_h, b), row_of(lstm.next_c, b));
        expect_near(Numbers({2 * n}, got), expected);
      }
    }
  });
}

TEST(LstmKernels, BackwardIsTheDifferenceQuotient) {
  test::for_each_instruction_set([] {
    for (const int64_t n : {1, 3, 17}) {
      Lstm lstm(4, n);
      Numbers dnext_h = random_numbers({4, n}, 7), dnext_c = random_numbers({4, n}, 8);
      Numbers dgates({4, 4 * n}, 9), dh = random_numbers({4, n}, 5), dc = random_numbers({4, n}, 6);
      const Numbers dh_before = dh, dc_before = dc;
      lstm_backward({dnext_h, dnext_c}, {lstm.gates, lstm.c, lstm.next_c, view_of(lstm.valid)},
                    dgates, {dh, dc});
      for (int64_t b = 0; b < 4; ++b) {
        const bool valid = lstm.valid[static_cast<size_t>(b)];
        const auto plain = [&](const Row& in) { return plain_lstm(in, static_cast<size_t>(n)); };
        Row expected = valid ? test::differences(plain, lstm.input(b),
                                                 joined(row_of(dnext_h, b), row_of(dnext_c, b)))
                             : joined(Row(static_cast<size_t>(4 * n)), row_of(dnext_c, b));
        Row expected_dh = row_of(dh_before, b);
        for (int64_t i = 0; i < n; ++i) {
          expected[static_cast<size_t>(4 * n + i)] += dc_before[b * n + i];
          if (!valid) expected_dh[static_cast<size_t>(i)] += dnext_h[b * n + i];
        }
        expect_near(Numbers({5 * n}, joined(row_of(dgates, b), row_of(dc, b))), expected,
                    kGradientTolerance);
        expect_near(Numbers({n}, row_of(dh, b)), expected_dh);
      }
    }
  });
}

TEST(LstmKernels, MayOverwriteTheirOperands) {
  test::for_each_instruction_set([] {
    Lstm lstm(4, 21);
    Numbers dnext = random_numbers({4, 21}, 7), dx({4, 84}), dh({4, 21}), dc({4, 21});
    const Flags valid = view_of(lstm.valid);
    lstm_backward({dnext, dnext}, {lstm.gates, lstm.c, lstm.next_c, valid}, dx, {dh, dc});
    Numbers place = lstm.x, next_h({4, 21}), next_c({4, 21}), dh_again({4, 21}), dc_again({4, 21});
    lstm_forward(place, {lstm.h, lstm.c}, valid, place, {next_h, next_c});
    EXPECT_EQ(place.data, lstm.gates.data);
    EXPECT_EQ(next_h.data, lstm.next_h.data);
    EXPECT_EQ(next_c.data, lstm.next_c.data);
    lstm_backward({dnext, dnext}, {place, lstm.c, next_c, valid}, place, {dh_again, dc_again});
    EXPECT_EQ(place.data, dx.data);
    EXPECT_EQ(dc_again.data, dc.data);
    EXPECT_EQ(dh_again.data, dh.data);
  });
}

TEST(LstmKernels, AreTheSameForAnyNumberOfThreads) {
  test::expect_same_for_any_threads([] {
    Lstm lstm(90, 513);
    Numbers dgates({90, 4 * 513}), dh({90, 513}), dc({90, 513});
    lstm_backward({lstm.h, lstm.c}, {lstm.gates, lstm.c, lstm.next_c, view_of(lstm.valid)}, dgates,
                  {dh, dc});
    return std::vector{lstm.next_h.data, lstm.next_c.data, dgates.data, dh.data, dc.data};
  });
}

TEST(CellKernels, WrongShapesThrow) {
  Numbers h({2, 5}), three({2, 15}), four({2, 20}), bad({2, 6});
  EXPECT_NO_THROW(gru_forward(three, three, h, {}, three, h));
  EXPECT_THROW(gru_forward(bad, three, h, {}, three, h), InternalError);
  EXPECT_THROW(gru_forward(three, bad, h, {}, three, h), InternalError);
  EXPECT_THROW(gru_forward(three, three, h, {}, bad, h), InternalError);
  EXPECT_THROW(gru_forward(three, three, h, {}, three, bad), InternalError);
  EXPECT_THROW(gru_backward(bad, {three, three, h, {}}, three, three, h), InternalError);
  EXPECT_THROW(gru_backward(h, {three, three, h, {}}, three, bad, h), InternalError);
  EXPECT_NO_THROW(lstm_forward(four, {h, h}, {}, four, {h, h}));
  EXPECT_THROW(lstm_forward(bad, {h, h}, {}, four, {h, h}), InternalError);
  EXPECT_THROW(lstm_forward(four, {h, h}, {}, four, {h, bad}), InternalError);
  EXPECT_THROW(lstm_backward({h, h}, {four, h, h, {}}, bad, {h, h}), InternalError);
  EXPECT_THROW(lstm_backward({h, bad}, {four, h, h, {}}, four, {h, h}), InternalError);
}

TEST(CellKernels, EmptyBatchesAreAllowed) {
  Numbers h({0, 5}), three({0, 15}), four({0, 20});
  EXPECT_NO_THROW(gru_forward(three, three, h, {}, three, h));
  EXPECT_NO_THROW(gru_backward(h, {three, three, h, {}}, three, three, h));
  EXPECT_NO_THROW(lstm_forward(four, {h, h}, {}, four, {h, h}));
  EXPECT_NO_THROW(lstm_backward({h, h}, {four, h, h, {}}, four, {h, h}));
}

}  // namespace
}  // namespace heed::kernels
