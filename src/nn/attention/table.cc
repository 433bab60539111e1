#include "base/error.h"
#include "nn/attention/attention.h"

namespace heed {
namespace {

std::unique_ptr<Attention> make_none(ParameterStore&, const AttentionSizes&) { return nullptr; }

struct Row {
  const char* name;
  std::unique_ptr<Attention> (*make)(ParameterStore&, const AttentionSizes&);
};

constexpr Row kScores[] = {
    {"none", make_none},       {"dot", make_dot},           {"scaled_dot", make_scaled_dot},
    {"general", make_general}, {"additive", make_additive}, {"concat", make_concat},
};

}  // namespace

std::unique_ptr<Attention> make_attention(const std::string& score, ParameterStore& store,
                                          const AttentionSizes& sizes) {
  for (const Row& row : kScores)
    if (score == row.name) return row.make(store, sizes);
  fail("model.attention.score: unknown score '{}'", score);
}

std::vector<std::string> attention_names() {
  std::vector<std::string> names;
  for (const Row& row : kScores) names.emplace_back(row.name);
  return names;
}

}  // namespace heed
