// Links to words beyond the end of their sentence: a sign of another tokenisation, of another
// number of the first token, or of mixed-up files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/aer.h"

namespace heed {

struct PairLength {
  int64_t source = 0, target = 0;  // words, separated by spaces and tabs
};

// The lengths of each pair of lines. Throws UserError as read_text does, and if a file does not
// have exactly `sentences` lines.
std::vector<PairLength> read_lengths(const std::string& source, const std::string& target,
                                     int64_t sentences);

// The number of links beyond the end of their sentence. Requires a length for each sentence.
int64_t count_beyond(const std::vector<Links>& links, const std::vector<PairLength>& lengths);

// Removes such links from the gold links and returns their number.
int64_t drop_beyond(std::vector<GoldLinks>& gold, const std::vector<PairLength>& lengths);

}  // namespace heed
