// Reading word links: what heed and fast_align write, and the two forms in which gold links come.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/aer.h"

namespace heed {

// One sentence a line, links "i-j" (source-target, from 0) between spaces; an empty line has none.
// Throws UserError "FILE:LINE: ..." for anything else.
std::vector<Links> read_links(const std::string& path);

struct GoldFile {
  std::vector<GoldLinks> sentences;
  int64_t dropped = 0;  // links before the first token (a 0 where tokens are counted from 1)
};

// base: the number of the first token, 0 or 1. formats:
//   pharaoh  as read_links, where "i-j" is a sure link, "ipj" and "i?j" possible ones
//   naacl    "sentence i j [S|P]", one link a line; sure without a letter. Sentence N is line N,
//            counted from 1 or, where there is a sentence 0, from 0; as many numbers with gaps as
//            there are sentences (lines of the links) stand for these in their order.
// Throws UserError "FILE:LINE: ..." for a malformed line, and where the sentences can't be those of
// the links.
GoldFile read_gold(const std::string& path, const std::string& format, int64_t base,
                   int64_t sentences);

}  // namespace heed
