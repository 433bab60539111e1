// The toy "bank" is learnt by both decoder styles in a few hundred updates, alignments included;
// and memory does not grow with the epochs.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "support/run_heed.h"
#include "support/sanitizer.h"

namespace heed {
namespace {

using test::run_heed;

const std::string kData = HEED_SOURCE_DIR "/data/bank/";

class Bank : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (test::kSanitizer) GTEST_SKIP() << "training takes too long under a sanitizer";
  }
  std::string path(const std::string& name) const { return dir_.path() + "/" + name; }
  // The JSON that a command prints.
  static nlohmann::json figures(const std::string& arguments) {
    const test::ProgramRun run = run_heed(arguments + " --json");
    EXPECT_EQ(run.code, 0) << run.err;
    return nlohmann::json::parse(run.out);
  }
  test::TempDir dir_;
};

TEST_P(Bank, IsLearntWithItsAlignments) {
  const std::string config =
      HEED_SOURCE_DIR "/configs/toy_bank_" + std::string(GetParam()) + ".yaml";
  const auto train = run_heed("train " + config + " --run.dir " + path("run") +
                              " --train.updates 500 --train.valid_every 250");
  ASSERT_EQ(train.code, 0) << train.err;
  const std::string model = "--model " + path("run/best.heed");
  ASSERT_EQ(
      run_heed("translate " + model + " --input " + kData + "test.en --output " + path("out")).code,
      0);
  ASSERT_EQ(run_heed("align " + model + " --source " + kData + "test.en --target " + kData +
                     "test.fr --links " + path("links"))
                .code,
            0);
  // Half of what full training reaches would already be out of reach for a model that
  // does not attend.
  EXPECT_GT(figures("evaluate --hypothesis " + path("out") + " --reference " + kData + "test.fr")
                .at("score")
                .get<double>(),
            70);
  EXPECT_LT(figures("evaluate --links " + path("links") + " --gold " + kData + "test.align")
                .at("aer")
                .get<double>(),
            0.3);
}

INSTANTIATE_TEST_SUITE_P(Styles, Bank, testing::Values("bahdanau", "luong"),
                         [](const auto& test) { return std::string(test.param); });

// Largest resident memory of any child so far, in kilobytes: it can only grow from call to call.
int64_t peak_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss;
}

TEST(Memory, DoesNotGrowWithTheEpochs) {
  if (test::kSanitizer) GTEST_SKIP() << "a sanitizer keeps freed memory";
  const test::TempDir dir;
  const std::string small = " --data.train.source " + kData + "valid.en --data.train.target " +
                            kData +
                            "valid.fr --train.valid_every 10 --train.patience 0 --train.minutes 0";
  const auto train = [&](const char* epochs) {
    const auto run =
        run_heed("train " HEED_SOURCE_DIR "/configs/toy_bank_bahdanau.yaml --run.dir " +
                 dir.path() + "/" + epochs + small + " --train.epochs " + epochs);
    EXPECT_EQ(run.code, 0) << run.err;
    return peak_of_children();
  };
  // Within 10 epochs the largest batches of every shape have come once and memory has levelled off.
  const int64_t few = train("10"), many = train("50");
  EXPECT_LE(static_cast<double>(many), 1.05 * static_cast<double>(few)) << "kilobytes";
}

}  // namespace
}  // namespace heed
