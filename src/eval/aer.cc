#include "eval/aer.h"

#include <fmt/format.h>

#include "base/error.h"

namespace heed {
namespace {

double share(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double AlignmentScore::precision() const { return share(matched_possible, links); }

double AlignmentScore::recall() const { return share(matched_sure, sure); }

double AlignmentScore::f1() const {
  const double sum = precision() + recall();
  return sum == 0.0 ? 0.0 : 2 * precision() * recall() / sum;
}

double AlignmentScore::aer() const {
  if (links + sure == 0) return 0.0;
  return 1.0 - share(matched_sure + matched_possible, links + sure);
}

AlignmentScore score_alignment(const std::vector<Links>& links,
                               const std::vector<GoldLinks>& gold) {
  check(links.size() == gold.size(),
        "[score_alignment] links and gold of the same sentences. Received {} and {}", links.size(),
        gold.size());
  AlignmentScore score;
  for (size_t i = 0; i < links.size(); ++i) {
    score.links += static_cast<int64_t>(links[i].size());
    score.sure += static_cast<int64_t>(gold[i].sure.size());
    score.possible += static_cast<int64_t>(gold[i].possible.size());
    for (const Link& link : links[i]) {
      score.matched_sure += static_cast<int64_t>(gold[i].sure.count(link));
      score.matched_possible += static_cast<int64_t>(gold[i].possible.count(link));
    }
  }
  return score;
}

std::string aer_line(const AlignmentScore& score) {
  return fmt::format(
      "AER = {:.4f} precision = {:.4f} recall = {:.4f} F1 = {:.4f} (links = {} sure = {} possible "
      "= {})",
      score.aer(), score.precision(), score.recall(), score.f1(), score.links, score.sure,
      score.possible);
}

}  // namespace heed
