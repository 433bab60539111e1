// Draws from a distribution, by its temperature and cut to its top.
#pragma once

#include <vector>

#include "base/random.h"
#include "decode/hypothesis.h"

namespace heed {

struct TokenOption {
  TokenId token;
  double log_probability;
};

// One of the options, which are put in another order: with probability proportional to
// exp(log_probability / temperature) among those that top_k and then top_p leave (Holtzman et al.
// 2020, section 3.1; among equal ones the smaller token stays). Requires at least one option.
TokenOption draw_option(const Sampling& sampling, std::vector<TokenOption>& options,
                        Random& random);

}  // namespace heed
