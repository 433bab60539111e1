// Draws from a distribution, by its temperature and cut to its top.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "decode/hypothesis.h"

namespace heed {

class Sampler {
 public:
  struct Option {
    TokenId token;
    double log_probability;
  };

  explicit Sampler(const Sampling& sampling) : sampling_(sampling) {}

  // One of the options, which are put in another order: with probability proportional to
  // exp(log_probability / temperature) among those that top_k and then top_p leave (Holtzman et al.
  // 2020, section 3.1; among equal ones the smaller token stays). Requires at least one option.
  Option draw(std::vector<Option>& options, Random& random) const;

 private:
  Sampling sampling_;
};

}  // namespace heed
