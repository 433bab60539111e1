#include "base/nearest.h"

#include <algorithm>
#include <numeric>

namespace heed {
namespace {

// Levenshtein distance in bytes.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  size_t limit = std::max<size_t>(2, name.size() / 3);
  std::string nearest;
  for (const std::string& candidate : known) {
    const size_t distance = edit_distance(name, candidate);
    if (distance < limit || (distance == limit && nearest.empty())) {
      nearest = candidate;
      limit = distance;
    }
  }
  return nearest;
}

}  // namespace heed
