// Reads word links: the format of heed and fast_align, and the two formats of gold links.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/aer.h"

namespace heed {

// Reads one sentence per line, as links "i-j" (source-target, from 0) separated by spaces. An empty
// line has no links. Throws UserError "FILE:LINE: ..." for anything else.
std::vector<Links> read_links(const std::string& path);

struct GoldFile {
  std::vector<GoldLinks> sentences;
  // links to the position before the first token (a 0 if tokens are counted from 1)
  int64_t dropped = 0;
};

// Reads gold links. base: the number of the first token, 0 or 1. format:
//   pharaoh  as read_links, where "i-j" is a sure link, "ipj" and "i?j" are possible ones
//   naacl    "sentence i j [S|P]", one link per line; sure without a letter. Sentence N is line N,
//            counted from 1, or from 0 if there is a sentence 0. Sentence numbers with gaps stand
//            for the lines in order, if there are as many numbers as sentences (lines of links).
// Throws UserError "FILE:LINE: ..." for a malformed line, and if the sentences cannot be those
// of the links.
GoldFile read_gold(const std::string& path, const std::string& format, int64_t base,
                   int64_t sentences);

}  // namespace heed
