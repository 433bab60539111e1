#include "eval/significance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"

namespace heed {
namespace {

constexpr int64_t kGrain = 16;  // resamples

// The statistics of all sentences in one array, because resampling is limited by the memory reads.
class Rows {
 public:
  Rows(const std::vector<Statistics>& sentences, size_t size) : size_(size) {
    for (const auto& sentence : sentences) {
      values_.insert(values_.end(), sentence.begin(), sentence.end());
    }
  }

  void add_to(Statistics& sum, size_t sentence) const {
    const double* row = values_.data() + sentence * size_;
    for (size_t s = 0; s < size_; ++s) sum[s] += row[s];
  }

 private:
  std::vector<double> values_;
  size_t size_;
};

struct Pair {
  Statistics system, baseline;
};

Pair drawn(const Rows& system, const Rows& baseline, size_t sentences, Pair sums, Random random) {
  for (size_t i = 0; i < sentences; ++i) {
    const size_t sentence = random.below(sentences);
    system.add_to(sums.system, sentence);
    baseline.add_to(sums.baseline, sentence);
  }
  return sums;
}

Pair swapped(const Rows& system, const Rows& baseline, size_t sentences, Pair sums, Random random) {
  uint32_t coins = 0;
  for (size_t i = 0; i < sentences; ++i) {
    if (i % 32 == 0) coins = random.next();
    const bool swap = ((coins >> (i % 32)) & 1) != 0;
    system.add_to(swap ? sums.baseline : sums.system, i);
    baseline.add_to(swap ? sums.system : sums.baseline, i);
  }
  return sums;
}

struct Scores {
  std::vector<double> system, baseline, difference;  // one value per resample
};

Scores resample(const TextMetric& metric, const std::vector<Statistics>& system,
                const std::vector<Statistics>& baseline, const MetricOptions& options,
                const PairedTest& test) {
  const Rows system_rows(system, metric.size);
  const Rows baseline_rows(baseline, metric.size);
  const auto make = test.kind == PairedTest::Kind::bootstrap ? drawn : swapped;
  const Pair zero{Statistics(metric.size, 0.0), Statistics(metric.size, 0.0)};
  const auto count = static_cast<size_t>(test.resamples);
  Scores scores{std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
  parallel_for(test.resamples, kGrain, [&](int64_t begin, int64_t end) {
    for (auto k = static_cast<size_t>(begin); k < static_cast<size_t>(end); ++k) {
      const Pair sums = make(system_rows, baseline_rows, system.size(), zero, Random(test.seed, k));
      scores.system[k] = metric.score(sums.system, options);
      scores.baseline[k] = metric.score(sums.baseline, options);
      scores.difference[k] = scores.system[k] - scores.baseline[k];
    }
  });
  return scores;
}

Interval middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t aside = values.size() / 40;
  return {values[aside], values[values.size() - 1 - aside]};
}

}  // namespace

Comparison compare_systems(const TextMetric& metric, const std::vector<Statistics>& system,
                           const std::vector<Statistics>& baseline, const MetricOptions& options,
                           const PairedTest& test) {
  check(!system.empty() && system.size() == baseline.size() && test.resamples > 0,
        "[compare_systems] as many sentences of both, and resamples. Received {}, {} and {}",
        system.size(), baseline.size(), test.resamples);
  Comparison result;
  result.system = metric.score(sum_of(metric, system), options);
  result.baseline = metric.score(sum_of(metric, baseline), options);
  const Scores scores = resample(metric, system, baseline, options, test);
  std::vector<double> sizes(scores.difference.size());
  std::transform(scores.difference.begin(), scores.difference.end(), sizes.begin(),
                 [](double d) { return std::abs(d); });
  double centre = 0.0;
  if (test.kind == PairedTest::Kind::bootstrap) {
    centre = std::accumulate(sizes.begin(), sizes.end(), 0.0) / static_cast<double>(sizes.size());
    result.system_interval = middle(scores.system);
    result.baseline_interval = middle(scores.baseline);
    result.difference_interval = middle(scores.difference);
  }
  const double seen = std::abs(result.difference());
  const auto greater =
      std::count_if(sizes.begin(), sizes.end(), [&](double size) { return size - centre > seen; });
  result.p = static_cast<double>(greater + 1) / static_cast<double>(test.resamples + 1);
  return result;
}

}  // namespace heed
