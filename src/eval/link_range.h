// Links that name words which their sentences don't have: a sign of another tokenisation, of
// another number of the first token, or of mixed-up files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/aer.h"

namespace heed {

struct PairLength {
  int64_t source = 0, target = 0;  // words, as spaces and tabs part them
};

// The lengths of each pair of lines. Throws UserError as read_text does, and where the files don't
// have a line for each of the `sentences` of the links.
std::vector<PairLength> read_lengths(const std::string& source, const std::string& target,
                                     int64_t sentences);

// How many links lie beyond the end of their sentence. Requires a length for each sentence.
int64_t count_beyond(const std::vector<Links>& links, const std::vector<PairLength>& lengths);

// Takes such links out of the gold; how many there were.
int64_t drop_beyond(std::vector<GoldLinks>& gold, const std::vector<PairLength>& lengths);

}  // namespace heed
