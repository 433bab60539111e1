#include "decode/sampler.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace heed {

TokenOption draw_option(const Sampling& sampling, std::vector<TokenOption>& options,
                        Random& random) {
  check(!options.empty(), "[draw_option] needs an option");
  const auto better = [](const TokenOption& a, const TokenOption& b) {
    return a.log_probability != b.log_probability ? a.log_probability > b.log_probability
                                                  : a.token < b.token;
  };
  size_t count = options.size();
  if (sampling.top_k > 0) count = std::min(count, static_cast<size_t>(sampling.top_k));
  if (sampling.top_p < 1)
    std::sort(options.begin(), options.end(), better);
  else if (count < options.size())
    std::partial_sort(options.begin(), options.begin() + static_cast<std::ptrdiff_t>(count),
                      options.end(), better);
  const double most =
      std::max_element(options.begin(), options.end(), [](const auto& a, const auto& b) {
        return a.log_probability < b.log_probability;
      })->log_probability;
  std::vector<double> sums;  // of the weights up to each option
  double sum = 0;
  for (size_t i = 0; i < count; ++i)
    sums.push_back(sum += std::exp((options[i].log_probability - most) / sampling.temperature));
  if (sampling.top_p < 1) {
    // The fewest whose sum reaches top_p of the whole.
    const auto enough = std::lower_bound(sums.begin(), sums.end(), sampling.top_p * sum);
    if (enough != sums.end()) sums.resize(static_cast<size_t>(enough - sums.begin()) + 1);
  }
  const auto drawn = std::upper_bound(sums.begin(), sums.end(), random.uniform() * sums.back());
  return options[std::min(static_cast<size_t>(drawn - sums.begin()), sums.size() - 1)];
}

}  // namespace heed
