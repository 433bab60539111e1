#include "decode/links.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace heed {
namespace {

// A set of links that knows which tokens have one.
class Growing {
 public:
  explicit Growing(const Links& links) {
    for (const Link& link : links) add(link);
  }

  void add(const Link& link) {
    links_.insert(link);
    first_.insert(link.first);
    second_.insert(link.second);
  }
  bool has_first_of(const Link& link) const { return first_.contains(link.first); }
  bool has_second_of(const Link& link) const { return second_.contains(link.second); }
  const Links& links() const { return links_; }

 private:
  Links links_;
  std::set<int64_t> first_, second_;  // tokens that have a link
};

void grow(Growing& growing, const Links& candidates) {
  constexpr Link kNeighbours[] = {{-1, 0},  {0, -1}, {1, 0},  {0, 1},
                                  {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  for (bool added = true; added;) {
    added = false;
    // The iteration also reaches links that are added after the present one.
    for (const Link& link : growing.links())
      for (const Link& step : kNeighbours) {
        const Link next{link.first + step.first, link.second + step.second};
        if (!candidates.contains(next) ||
            (growing.has_first_of(next) && growing.has_second_of(next)))
          continue;
        growing.add(next);
        added = true;
      }
  }
}

void add_lone(Growing& growing, const Links& candidates) {
  for (const Link& link : candidates)
    if (!growing.has_first_of(link) && !growing.has_second_of(link)) growing.add(link);
}

}  // namespace

Links links_of(const std::vector<std::vector<float>>& attention, double threshold) {
  Links links;
  for (size_t t = 0; t + 1 < attention.size(); ++t) {
    const std::vector<float>& row = attention[t];
    const auto best = std::max_element(row.begin(), row.end());
    for (auto s = row.begin(); s + 1 < row.end(); ++s)
      if (threshold > 0 ? static_cast<double>(*s) >= threshold : s == best)
        links.emplace(s - row.begin(), t);
  }
  return links;
}

std::string links_text(const Links& links) {
  std::string text;
  for (const auto& [target, source] : transposed(links)) {
    if (!text.empty()) text += ' ';
    text += std::to_string(source) + '-' + std::to_string(target);
  }
  return text;
}

Links transposed(const Links& links) {
  Links other;
  for (const auto& [source, target] : links) other.emplace(target, source);
  return other;
}

Links symmetrised(const Links& forward, const Links& backward, Symmetry symmetry) {
  Links both, either;
  std::set_intersection(forward.begin(), forward.end(), backward.begin(), backward.end(),
                        std::inserter(both, both.end()));
  std::set_union(forward.begin(), forward.end(), backward.begin(), backward.end(),
                 std::inserter(either, either.end()));
  if (symmetry == Symmetry::intersection) return both;
  if (symmetry == Symmetry::unite) return either;
  // The result depends on the order. This is the order of Moses, by target.
  Growing growing(transposed(both));
  grow(growing, transposed(either));
  add_lone(growing, transposed(forward));
  add_lone(growing, transposed(backward));
  return transposed(growing.links());
}

}  // namespace heed
