// Every score by its name in model.attention.score.
#include "base/error.h"
#include "nn/attention/score.h"

namespace heed {

using MakeScore = std::unique_ptr<Score>(ParameterStore&, const AttentionSizes&);
MakeScore make_dot, make_scaled_dot, make_general, make_additive, make_concat;

namespace {

std::unique_ptr<Score> make_none(ParameterStore&, const AttentionSizes&) { return nullptr; }

struct Row {
  const char* name;
  MakeScore* make;
};

constexpr Row kScores[] = {
    {"none", make_none},       {"dot", make_dot},           {"scaled_dot", make_scaled_dot},
    {"general", make_general}, {"additive", make_additive}, {"concat", make_concat},
};

}  // namespace

std::unique_ptr<Score> make_score(const std::string& name, ParameterStore& store,
                                  const AttentionSizes& sizes) {
  for (const Row& row : kScores)
    if (name == row.name) return row.make(store, sizes);
  fail("model.attention.score: unknown score '{}'", name);
}

std::vector<std::string> score_names() {
  std::vector<std::string> names;
  for (const Row& row : kScores) names.emplace_back(row.name);
  return names;
}

}  // namespace heed
