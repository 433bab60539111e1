// Links between the tokens of a sentence and those of its translation: from attention, and from the
// links of both directions.
#pragma once

#include <string>
#include <vector>

#include "base/link.h"

namespace heed {

// `attention`: one row per target token, one column per source token, both with </s> last, which is
// never linked. If `threshold` is 0, each target token is linked to the source token with its
// largest weight (the first of equal ones), or to none if that is </s>; otherwise to each source
// token of at least this weight.
Links links_of(const std::vector<std::vector<float>>& attention, double threshold = 0);

// "0-0 2-1", in the order of the target, then of the source.
std::string links_text(const Links& links);

Links transposed(const Links& links);  // (target, source) for (source, target)

enum class Symmetry {
  intersection,
  unite,
  // Koehn, Och, Marcu: "Statistical phrase-based translation", NAACL 2003, section 3; with the
  // "final-and" of Koehn et al., IWSLT 2005. The intersection grows by neighbouring links (diagonal
  // ones too) of the union that link a token without a link, then by links of either direction
  // between two tokens without links.
  grow_diag_final_and,
};

// Both as (source, target).
Links symmetrised(const Links& forward, const Links& backward, Symmetry symmetry);

}  // namespace heed
