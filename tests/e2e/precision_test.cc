// heed bench and the number types of products, through the program.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_heed.h"
#include "tensor/kernels/kernels.h"

namespace heed {
namespace {

using test::run_heed;

const char* const kTiny =
    "bench " HEED_SOURCE_DIR
    "/configs/toy_bank_bahdanau.yaml --model.embedding 8 --model.encoder.hidden 8 "
    "--model.decoder.hidden 8 --model.attention.size 8 --seconds 0.05 --json ";

TEST(Bench, ProfileIsOfTheMeasuredUpdates) {
  const auto run = run_heed(std::string(kTiny) + "--profile");
  ASSERT_EQ(run.code, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  const auto& profile = json.at("profile");
  double share = 0, seconds = 0;
  for (const auto& op : profile.at("ops")) {
    share += op.at("share").get<double>();
    seconds += op.at("seconds").get<double>();
  }
  EXPECT_NEAR(share, 1, 1e-6);
  const double update = json.at("seconds_per_update").get<double>();
  EXPECT_LE(seconds, update * (1 + 1e-9));
  EXPECT_GE(seconds, 0.9 * update) << "ops and what is between them are the whole update";
  EXPECT_NEAR(profile.at("seconds_per_update").get<double>(), seconds, 1e-9 * seconds);
  EXPECT_NE(json.at("data").get<std::string>().find("pairs of"), std::string::npos);
}

TEST(Bench, TextThatIsNotThereIsReplacedByGeneratedIds) {
  const auto run =
      run_heed(std::string(kTiny) + "--data.train.source /nowhere --data.train.target /nowhere");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("/nowhere is not there"), std::string::npos) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out).at("data").get<std::string>().rfind("generated", 0), 0u);
}

TEST(Bench, BatchesOfTokensTakeThePlaceOfTheReferencesSentences) {
  const auto tokens_an_update = [](const std::string& more) {
    const auto run = run_heed(
        "bench --model.embedding 8 --model.encoder.hidden 8 --model.decoder.hidden 8 "
        "--model.attention.size 8 --data.vocab_size 50 --seconds 0.05 --json " +
        more);
    EXPECT_EQ(run.code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    return json.at("target_tokens_per_second").get<double>() *
           json.at("seconds_per_update").get<double>();
  };
  EXPECT_GT(tokens_an_update(""), 500) << "80 sentences";
  EXPECT_LE(tokens_an_update("--train.batch_tokens 100"), 100.01);
}

TEST(Precision, IsTakenWhereForcedOrNative) {
  if (!kernels::has_precision(kernels::Precision::bf16)) {
    const auto run = run_heed(std::string(kTiny) + "--run.precision bf16 --run.force_precision");
    EXPECT_EQ(run.code, 1);
    EXPECT_NE(run.err.find("there are no bf16 products here"), std::string::npos);
    return;
  }
  const auto forced = run_heed(std::string(kTiny) + "--run.precision bf16 --run.force_precision");
  ASSERT_EQ(forced.code, 0) << forced.err;
  EXPECT_EQ(nlohmann::json::parse(forced.out).at("precision"), "bf16");
  const auto asked = run_heed(std::string(kTiny) + "--run.precision bf16");
  const bool native = kernels::is_native(kernels::Precision::bf16);
  EXPECT_EQ(nlohmann::json::parse(asked.out).at("precision"), native ? "bf16" : "f32");
  EXPECT_EQ(asked.err.find("staying in f32") == std::string::npos, native) << asked.err;
}

// What oneDNN is told through its environment variable: a processor without AVX-512.
class OldProcessor {
 public:
  OldProcessor() { setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1); }
  ~OldProcessor() { unsetenv("ONEDNN_MAX_CPU_ISA"); }
};

TEST(Precision, IsRefusedBeforeAnythingIsReadWhereThereAreNoSuchProducts) {
  const OldProcessor old;
  const auto run = run_heed(std::string(kTiny) + "--run.precision bf16 --run.force_precision");
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.err.find("there are no bf16 products here"), std::string::npos) << run.err;
  const auto asked = run_heed(std::string(kTiny) + "--run.precision bf16");
  EXPECT_EQ(asked.code, 0);
  EXPECT_NE(asked.err.find("staying in f32"), std::string::npos) << asked.err;
}

TEST(Bench, ProductsOfEveryWeightAreMeasured) {
  const auto run = run_heed(std::string(kTiny) + "--products --model.tied_embeddings target");
  ASSERT_EQ(run.code, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  size_t output = 0;
  for (const auto& product : json.at("products")) {
    for (const char* kind : {"step", "sequence", "gradient"})
      EXPECT_GT(product.at(kind).get<double>(), 0) << product;
    for (const std::string name : product.at("weights")) {
      EXPECT_NE(name, "source.embedding") << "it is looked up";
      if (name != "target.embedding") continue;
      ++output;
      EXPECT_EQ(product.at("rows"), 8) << "the output layer meets it as its transpose";
    }
  }
  EXPECT_EQ(output, 1u);
}

}  // namespace
}  // namespace heed
