#include "cli/bench_data.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "base/random.h"

namespace heed::cli {
namespace {

// Every twentieth quantile of the training set: source length with </s>, and target length minus
// source length.
constexpr int kSourceLength[] = {5,  9,  10, 11, 12, 12, 13, 13, 14, 14, 15,
                                 15, 16, 17, 17, 18, 19, 20, 22, 25, 53};
constexpr int kDifference[] = {-17, -4, -3, -2, -2, -1, -1, -1, 0, 0, 0,
                               1,   1,  1,  2,  2,  3,  3,  4,  6, 19};

// A draw from the distribution with these quantiles, linear between them.
double draw(const int (&quantiles)[21], Random& random) {
  const double place = random.uniform() * 20;
  const int i = static_cast<int>(place);
  return quantiles[i] + (place - i) * (quantiles[i + 1] - quantiles[i]);
}

std::vector<TokenId> draw_ids(int64_t count, int64_t vocabulary, Random& random) {
  std::vector<TokenId> ids;
  const double largest = std::log(static_cast<double>(vocabulary - kEnd - 1));
  while (static_cast<int64_t>(ids.size()) < count)  // P(rank) ~ 1 / rank
    ids.push_back(static_cast<TokenId>(kEnd + std::floor(std::exp(random.uniform() * largest))));
  return ids;
}

}  // namespace

Config reference_config() {
  Config config;
  config.run.dir = "../runs/reference";
  config.model.decoder.input_feeding = false;
  config.model.decoder.readout = 512;
  config.train.batch_sentences = 80;
  return config;
}

Corpus generated_corpus(int64_t pairs, int64_t source_vocabulary, int64_t target_vocabulary,
                        uint64_t seed) {
  Random random(seed, 0xbe9c);
  Corpus corpus;
  for (int64_t i = 0; i < pairs; ++i) {
    const double source = draw(kSourceLength, random);
    const double target = std::max(3.0, source + draw(kDifference, random));
    const auto without_end = [](double length) {
      return std::max<int64_t>(1, std::lround(length) - 1);
    };
    corpus.add(draw_ids(without_end(source), source_vocabulary, random),
               draw_ids(without_end(target), target_vocabulary, random));
  }
  return corpus;
}

}  // namespace heed::cli
