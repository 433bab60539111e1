#include "train/resume.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "config/schema.h"

namespace heed {
namespace {

// The keys that must not change, besides all that begin with "model.".
constexpr std::array<std::string_view, 5> kVocabularyKeys = {
    "data.tokenizer", "data.vocab_type", "data.vocab_size", "data.shared_vocab", "data.lowercase"};

bool is_fixed(std::string_view key) {
  return key.substr(0, 6) == "model." ||
         std::find(kVocabularyKeys.begin(), kVocabularyKeys.end(), key) != kVocabularyKeys.end();
}

std::string shown(const std::string& value) { return value.empty() ? "(empty)" : value; }

}  // namespace

std::vector<std::string> changed_options(const Config& saved, const Config& now) {
  std::vector<std::string> changes;
  for (const Key& key : config_keys()) {
    const std::string before = key.get(saved), after = key.get(now);
    if (before == after || key.name == "run.dir") continue;
    changes.push_back(key.name + ": " + shown(before) + " -> " + shown(after));
  }
  return changes;
}

void check_same_model(const Config& saved, const Config& now, const std::string& path) {
  for (const Key& key : config_keys()) {
    const std::string before = key.get(saved), after = key.get(now);
    if (before == after || !is_fixed(key.name)) continue;
    fail(
        "{}: {} is {} there and {} now: this run can't go on with another model or vocabulary; set "
        "it back or choose another run.dir",
        path, key.name, shown(before), shown(after));
  }
}

}  // namespace heed
