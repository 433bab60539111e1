// What each source token has to do with each target token, by several methods side by side, and its
// line of JSON.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

// attention:  where the decoder looked; a row sums to 1.
// gradient:   gradient x input, the first-order share of a source token in log p of the target
//             token (Denil et al. 2014; Shrikumar et al. 2016). Signed.
// integrated: integrated gradients from word vectors of zero (Sundararajan et al. 2017, "Axiomatic
//             attribution for deep networks"); a row sums to log p minus log p of the baseline, up
//             to the error of the integration (Completeness). Signed.
// erasure:    log p minus log p without the source token (Li et al. 2016, "Understanding neural
//             networks through representation erasure"); above 0 where the token helps.
enum class Method { attention, gradient, integrated, erasure };
inline constexpr size_t kMethods = 4;
const char* method_name(Method method);  // also its key in the line of JSON

// One value for each method.
template <typename T>
class PerMethod {
 public:
  T& operator[](Method method) { return values_[static_cast<size_t>(method)]; }
  const T& operator[](Method method) const { return values_[static_cast<size_t>(method)]; }

 private:
  std::array<T, kMethods> values_{};
};

using Matrix = std::vector<std::vector<double>>;  // [target][source]

// How far integrated gradients of a pair add up to what they should: both are sums over
// its target tokens.
struct Completeness {
  double sum = 0;   // of all entries of the matrix
  double gain = 0;  // log p less that of the baseline
};

// The lists are empty for a pair of two empty sides, which no model is run on.
struct Explanation {
  int64_t id = 0;                            // number of its line, from 0
  std::vector<std::string> source, target;   // pieces or words, "</s>" last
  PerMethod<bool> has;                       // which methods were asked for
  PerMethod<Matrix> matrix;                  // of the others empty
  std::optional<Completeness> completeness;  // of integrated gradients
  double score = 0;                          // natural log-probability, </s> counted
};

// Sums of blocks: entry [i][j] is the sum over rows from rows[i] to below rows[i + 1] and columns
// from columns[j] to below columns[j + 1]; the last ones end with the matrix. log p of a word is
// the sum of those of its pieces, so this is what words out of pieces get of signed methods.
Matrix sum_blocks(const Matrix& matrix, const std::vector<size_t>& rows,
                  const std::vector<size_t>& columns);

// One line of JSON as dump_line() gives it: {"id", "source", "target", a matrix for each method
// that was asked for, under its name, "score"}.
std::string explanation_line(const Explanation& explanation);

}  // namespace heed
