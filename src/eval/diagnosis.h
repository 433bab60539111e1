// What is wrong with lines of a translation at first sight, whatever they say: the faults that a
// sequence-to-sequence model is prone to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/words.h"

namespace heed {

struct FaultyLines {
  std::string fault;           // its name: "empty"
  std::string meaning;         // "no word, though the reference has some"
  std::vector<int64_t> lines;  // their numbers, from 1
};

struct Diagnosis {
  int64_t lines = 0;
  int64_t faulty = 0;  // lines with one fault or more
  std::vector<FaultyLines> faults;
};

// With h words of the line and r of its reference:
//   empty     h = 0 and r > 0
//   long      h > 1.5 r + 5
//   short     h > 0 and r > 1.5 h + 5
//   repeated  the same 1, 2, 3 or 4 words three times or more in a row, and more often than in the
//             reference
//   copied    the words of the source, which the reference doesn't have (where sources are given)
// With several references a line has a fault only if it has it beside each of them.
// references[r][i] is reference r of line i (at least one r); sources are empty or as many as the
// lines.
Diagnosis diagnose(const std::vector<Words>& hypotheses,
                   const std::vector<std::vector<Words>>& references,
                   const std::vector<Words>& sources = {});

// "nrefs:1|case:mixed|tok:13a|long:1.5r+5|short:1.5h+5|repeated:3x1-4|version:heed-0.1.0".
std::string diagnosis_signature(const MetricOptions& options, size_t references);

}  // namespace heed
