#include "eval/band_distance.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace heed {
namespace {

constexpr int64_t kHalfWidth = 25;
constexpr int64_t kFar = int64_t{1} << 40;  // outside the band

}  // namespace

BandDistance::BandDistance(const std::vector<int>& reference, size_t length)
    : reference_(reference),
      length_(length),
      rows_(length + 1, std::vector<Cell>(reference.size() + 1, {kFar, Edit::none})),
      scratch_(rows_) {
  for (size_t j = 0; j <= reference.size(); ++j) {
    rows_[0][j] = {static_cast<int64_t>(j), Edit::insert};
  }
}

// Among edits of equal cost the first of keep or substitute, delete, insert is taken. The path
// decides which moves are tried, so this order is part of the metric's definition.
void BandDistance::fill_row(const std::vector<int>& hypothesis, size_t i,
                            const std::vector<Cell>& above, std::vector<Cell>& row) const {
  const auto columns = static_cast<int64_t>(reference_.size()) + 1;
  const double ratio = static_cast<double>(reference_.size()) / static_cast<double>(length_);
  // A row must overlap the band of the row above, even if the hypothesis is very short.
  const int64_t half =
      kHalfWidth < ratio / 2 ? static_cast<int64_t>(std::ceil(ratio / 2 + kHalfWidth)) : kHalfWidth;
  const auto diagonal = static_cast<int64_t>(std::floor(static_cast<double>(i) * ratio));
  const int64_t begin = std::max<int64_t>(0, diagonal - half);
  const int64_t end = i == length_ ? columns : std::min(columns, diagonal + half);
  std::fill(row.begin(), row.end(), Cell{kFar, Edit::none});
  for (auto j = static_cast<size_t>(begin); j < static_cast<size_t>(end); ++j) {
    Cell best{kFar, Edit::none};
    const auto offer = [&best](int64_t cost, Edit edit) {
      if (cost < best.cost) best = {cost, edit};
    };
    if (j > 0) {
      const bool equal = hypothesis[i - 1] == reference_[j - 1];
      offer(above[j - 1].cost + (equal ? 0 : 1), equal ? Edit::keep : Edit::replace);
    }
    offer(above[j].cost + 1, Edit::leave_out);
    if (j > 0) offer(row[j - 1].cost + 1, Edit::insert);
    row[j] = best;
  }
}

EditPath BandDistance::follow(const std::vector<int>& hypothesis) {
  check(hypothesis.size() == length_, "[BandDistance] {} words. Received {}", length_,
        hypothesis.size());
  for (size_t i = 1; i <= length_; ++i) fill_row(hypothesis, i, rows_[i - 1], rows_[i]);
  EditPath path;
  path.distance = rows_[length_].back().cost;
  path.beside.resize(reference_.size());
  path.reference_wrong.resize(reference_.size());
  path.hypothesis_wrong.resize(length_);
  size_t i = length_;
  size_t j = reference_.size();
  while (i > 0 || j > 0) {
    const Edit edit = rows_[i][j].edit;
    check(edit != Edit::none, "[BandDistance] a path inside the band. Received none");
    const bool wrong = edit != Edit::keep;
    if (edit != Edit::leave_out) {
      --j;
      path.beside[j] = static_cast<int64_t>(i) - 1;
      path.reference_wrong[j] = wrong;
    }
    if (edit != Edit::insert) path.hypothesis_wrong[--i] = wrong;
  }
  return path;
}

int64_t BandDistance::distance_of(const std::vector<int>& hypothesis, size_t same) {
  for (size_t i = same + 1; i <= length_; ++i) {
    fill_row(hypothesis, i, i == same + 1 ? rows_[same] : scratch_[i - 1], scratch_[i]);
  }
  return (same == length_ ? rows_ : scratch_)[length_].back().cost;
}

}  // namespace heed
