// Agreement of several methods on which source tokens matter for a target token: the rank
// correlation of each pair of methods, and how often their largest values coincide.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heed {

// Kendall's tau-b (Kendall 1945, "The treatment of ties in ranking problems"), which accounts for
// ties: (P - Q) / sqrt((P + Q + X) (P + Q + Y)), with P pairs in the same order, Q in opposite
// order, X tied in x only and Y tied in y only. Returns nullopt if all of x or all of y are tied.
// Requires x.size() == y.size().
std::optional<double> kendall_tau_b(std::span<const double> x, std::span<const double> y);

// Compares the absolute values of the matrices of several methods, row by row. Only the first
// columns of a row are used, so that </s>, which comes last, can be left out.
class Agreement {
 public:
  using Matrix = std::vector<std::vector<double>>;

  // Methods are numbered from 0; the largest values of each are compared with those of `reference`.
  Agreement(size_t methods, std::optional<size_t> reference);

  // Adds a sentence: one matrix per method, all of the same shape, of which the first `columns`
  // columns are used. Rows for which the correlation is undefined are skipped, as are all rows if
  // there is only one column.
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
  // One entry per method except the reference; empty without a reference. If several values are the
  // largest, the first one counts.
  const std::vector<SameTop>& same_tops() const { return same_tops_; }

 private:
  std::optional<size_t> reference_;
  std::vector<Correlation> correlations_;
  std::vector<SameTop> same_tops_;
};

}  // namespace heed
