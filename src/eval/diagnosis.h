// Finds lines of a translation that are wrong at first sight: the typical faults
// of sequence-to-sequence models.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/words.h"

namespace heed {

struct FaultyLines {
  std::string fault;           // its name: "empty"
  std::string meaning;         // "no word, though the reference has some"
  std::vector<int64_t> lines;  // line numbers from 1
};

struct Diagnosis {
  int64_t lines = 0;
  int64_t faulty = 0;  // lines with at least one fault
  std::vector<FaultyLines> faults;
};

// A line with h words, whose reference has r words, is
//   empty     if h = 0 and r > 0
//   long      if h > 1.5 r + 5
//   short     if h > 0 and r > 1.5 h + 5
//   repeated  if it has the same 1, 2, 3 or 4 words three times or more in a row, and more often
//             than the reference
//   copied    if it equals the source but not the reference (only if sources are given).
// With several references a line has a fault only if it has the fault against each of them.
// references[r][i] is reference r of line i (at least one r); sources are empty or one per line.
Diagnosis diagnose(const std::vector<Words>& hypotheses,
                   const std::vector<std::vector<Words>>& references,
                   const std::vector<Words>& sources = {});

// "nrefs:1|case:mixed|tok:13a|long:1.5r+5|short:1.5h+5|repeated:3x1-4|version:heed-0.1.0".
std::string diagnosis_signature(const MetricOptions& options, size_t references);

}  // namespace heed
