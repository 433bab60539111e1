#include "eval/significance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "support/golden.h"

namespace heed {
namespace {

using Lines = std::vector<std::string>;

class Significance : public testing::Test {
 protected:
  std::vector<Statistics> statistics(const TextMetric& metric, const std::string& system) const {
    const auto& systems = golden_.at("systems");
    return sentence_statistics(metric, systems.at(system).get<Lines>(),
                               {systems.at("reference").get<Lines>()}, {});
  }

  const test::Golden golden_ = test::load_golden("metrics");
};

// heed and sacreBLEU draw different sets of 10000 resamples: p may differ by five standard errors
// of the difference of two such proportions (plus 0.001 for those near 0), the half width of an
// interval by 5 %.
TEST_F(Significance, ProbabilitiesAndIntervalsAreThoseOfSacrebleu) {
  ASSERT_EQ(golden_.at("paired").size(), 32u);
  for (const auto& c : golden_.at("paired")) {
    SCOPED_TRACE(c.dump());
    const TextMetric& metric = find_text_metric(c.at("metric"));
    PairedTest test;
    const bool bootstrap = c.at("test") == "bs";
    test.kind = bootstrap ? PairedTest::Kind::bootstrap : PairedTest::Kind::randomization;
    test.resamples = c.at("resamples");
    const auto found = compare_systems(metric, statistics(metric, c.at("system")),
                                       statistics(metric, c.at("baseline")), {}, test);
    EXPECT_NEAR(found.system, c.at("system_score").get<double>(), 1e-9);
    EXPECT_NEAR(found.baseline, c.at("baseline_score").get<double>(), 1e-9);
    const double p = c.at("p");
    const double resamples = c.at("resamples");
    EXPECT_NEAR(found.p, p, 0.001 + 5 * std::sqrt(2 * p * (1 - p) / resamples));
    ASSERT_EQ(found.difference_interval.has_value(), bootstrap);
    if (!bootstrap) continue;
    const double half = c.at("system_half_interval");
    const auto interval = *found.system_interval;
    EXPECT_NEAR((interval.high - interval.low) / 2, half, 0.05 * half);
    EXPECT_NEAR((interval.high + interval.low) / 2, c.at("system_mean").get<double>(), 0.1 * half);
    EXPECT_LE(found.difference_interval->low, found.difference());
    EXPECT_GE(found.difference_interval->high, found.difference());
  }
}

TEST_F(Significance, IsTheSameInAnyNumberOfThreadsAndChangesWithTheSeed) {
  const TextMetric& metric = find_text_metric("chrf");
  const auto first = statistics(metric, "first");
  const auto second = statistics(metric, "second");
  const int before = threads();
  std::vector<Comparison> found;
  for (const int count : {1, 4}) {
    set_threads(count);
    found.push_back(compare_systems(metric, first, second, {}, {}));
  }
  set_threads(before);
  EXPECT_EQ(found[0].p, found[1].p);
  EXPECT_EQ(found[0].difference_interval->low, found[1].difference_interval->low);
  PairedTest other;
  other.seed = 2;
  EXPECT_NE(compare_systems(metric, first, second, {}, other).difference_interval->low,
            found[0].difference_interval->low);
}

}  // namespace
}  // namespace heed
