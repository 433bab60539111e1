// Draws from a distribution with a temperature, truncated to its most probable tokens.
#pragma once

#include <vector>

#include "base/random.h"
#include "decode/hypothesis.h"

namespace heed {

struct TokenOption {
  TokenId token;
  double log_probability;
};

// Draws one of the options that top_k and then top_p keep (Holtzman et al. 2020, section 3.1; of
// equal ones the smaller token is kept), with probability proportional to
// exp(log_probability / temperature). Reorders the options. Requires at least one.
TokenOption draw_option(const Sampling& sampling, std::vector<TokenOption>& options,
                        Random& random);

}  // namespace heed
