// Links between the tokens of a sentence and of its translation: out of attention, and out of two
// directions.
#pragma once

#include <string>
#include <vector>

#include "base/link.h"

namespace heed {

// Rows are target tokens, columns source tokens, both with </s> last, which is never linked. Where
// `threshold` is 0: each target token to the source token with its largest weight (the first of
// equal ones), and to none where that is </s>. Else to each source token of at least this weight.
Links links_of(const std::vector<std::vector<float>>& attention, double threshold = 0);

// "0-0 2-1", in the order of the target, then of the source.
std::string links_text(const Links& links);

Links transposed(const Links& links);  // (target, source) for (source, target)

enum class Symmetry {
  intersection,
  unite,
  // Koehn, Och, Marcu: "Statistical phrase-based translation", NAACL 2003, section 3; with the
  // "final-and" of Koehn et al., IWSLT 2005: the intersection grows by neighbours (diagonal ones
  // too) in the union that link a token which has no link yet, then by links of either direction
  // between two such tokens.
  grow_diag_final_and,
};

// Both as (source, target).
Links symmetrised(const Links& forward, const Links& backward, Symmetry symmetry);

}  // namespace heed
