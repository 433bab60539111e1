// How far several methods agree on which source tokens matter for a target token: rank correlation
// of each two of them, and how often their largest value is at the same place.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heed {

// Kendall's tau-b (Kendall 1945, "The treatment of ties in ranking problems"), which allows for
// ties: (P - Q) / sqrt((P + Q + X) (P + Q + Y)), with P pairs in the same order, Q in opposite
// order, X tied in x alone and Y in y alone. Nothing where all of x or all of y are tied. As many
// x as y.
std::optional<double> kendall_tau_b(std::span<const double> x, std::span<const double> y);

// Values are compared by their size, without sign. Only the first columns of a row count, so that
// </s>, which comes last, can be left out.
class Agreement {
 public:
  using Matrix = std::vector<std::vector<double>>;

  // Methods are numbers from 0; their largest values are compared with those of `reference`.
  Agreement(size_t methods, std::optional<size_t> reference);

  // A sentence: a matrix for each method, all of the same shape; `columns` of each row count. Rows
  // in which a correlation is not defined, or of a single column, are passed over.
  void add(std::span<const Matrix> matrices, size_t columns);

  struct Correlation {
    size_t first = 0, second = 0;  // methods, first < second
    double sum = 0;                // over sentences, of the mean over their rows
    int64_t rows = 0, sentences = 0;
    std::optional<double> mean() const;  // over sentences
  };
  const std::vector<Correlation>& correlations() const { return correlations_; }

  struct SameTop {
    size_t method = 0;
    int64_t same = 0, rows = 0;
    std::optional<double> share() const;
  };
  // Of all methods but the reference; empty without one. The first of equal values is the largest.
  const std::vector<SameTop>& same_tops() const { return same_tops_; }

 private:
  std::optional<size_t> reference_;
  std::vector<Correlation> correlations_;
  std::vector<SameTop> same_tops_;
};

}  // namespace heed
