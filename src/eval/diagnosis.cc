#include "eval/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace heed {
namespace {

constexpr double kFactor = 1.5;  // one side is longer than this times the other
constexpr double kExtra = 5;     // and has this many words more
constexpr int64_t kTimes = 3;
constexpr size_t kLongestNgram = 4;

struct Line {
  const Words& hypothesis;
  const Words& reference;
  const Words* source;  // null: not known
};

bool is_far_longer(const Words& a, const Words& b) {
  return static_cast<double>(a.size()) > kFactor * static_cast<double>(b.size()) + kExtra;
}

// How many times some n words occur in a row at most. If word i equals word i + n at k consecutive
// positions, those n words occur 1 + k / n times.
int64_t times_in_a_row(const Words& words, size_t n) {
  size_t most = 0, on_end = 0;
  for (size_t i = 0; i + n < words.size(); ++i) {
    on_end = words[i] == words[i + n] ? on_end + 1 : 0;
    most = std::max(most, on_end);
  }
  return 1 + static_cast<int64_t>(most / n);
}

bool is_repeated(const Line& line) {
  for (size_t n = 1; n <= kLongestNgram; ++n) {
    const int64_t times = times_in_a_row(line.hypothesis, n);
    if (times >= kTimes && times > times_in_a_row(line.reference, n)) return true;
  }
  return false;
}

struct Rule {
  const char* fault;
  const char* meaning;
  bool (*holds)(const Line& line);
};

// A new fault is one row in this table.
constexpr Rule kRules[] = {
    {"empty", "no word, though the reference has some",
     [](const Line& l) { return l.hypothesis.empty() && !l.reference.empty(); }},
    {"long", "more than 1.5 times the words of the reference, and 5",
     [](const Line& l) { return is_far_longer(l.hypothesis, l.reference); }},
    {"short", "the reference has more than 1.5 times its words, and 5",
     [](const Line& l) {
       return !l.hypothesis.empty() && is_far_longer(l.reference, l.hypothesis);
     }},
    {"repeated", "1 to 4 words three times or more in a row, unlike in the reference", is_repeated},
    {"copied", "the source, unlike the reference",
     [](const Line& l) {
       return l.source != nullptr && !l.source->empty() && l.hypothesis == *l.source &&
              l.hypothesis != l.reference;
     }},
};

}  // namespace

Diagnosis diagnose(const std::vector<Words>& hypotheses,
                   const std::vector<std::vector<Words>>& references,
                   const std::vector<Words>& sources) {
  const auto fits = [&](const std::vector<Words>& side) {
    return side.size() == hypotheses.size();
  };
  check(!references.empty() && std::all_of(references.begin(), references.end(), fits) &&
            (sources.empty() || fits(sources)),
        "[diagnose] references, and sources or none, as many as the {} hypotheses",
        hypotheses.size());
  Diagnosis diagnosis;
  diagnosis.lines = static_cast<int64_t>(hypotheses.size());
  for (const Rule& rule : kRules) diagnosis.faults.push_back({rule.fault, rule.meaning, {}});
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    bool faulty = false;
    for (size_t r = 0; r < std::size(kRules); ++r) {
      const bool holds = std::all_of(references.begin(), references.end(), [&](const auto& side) {
        return kRules[r].holds({hypotheses[i], side[i], sources.empty() ? nullptr : &sources[i]});
      });
      if (holds) diagnosis.faults[r].lines.push_back(static_cast<int64_t>(i) + 1);
      faulty = faulty || holds;
    }
    diagnosis.faulty += faulty;
  }
  if (sources.empty()) diagnosis.faults.pop_back();  // "copied" cannot be found without sources
  return diagnosis;
}

std::string diagnosis_signature(const MetricOptions& options, size_t references) {
  return fmt::format("{}|long:{}r+{}|short:{}h+{}|repeated:{}x1-{}|version:heed-{}",
                     words_signature(options, references), kFactor, kExtra, kFactor, kExtra, kTimes,
                     kLongestNgram, HEED_VERSION);
}

}  // namespace heed
