// The experiments that ship in configs/.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/files.h"
#include "config/schema.h"

namespace heed {
namespace {

const std::string kFolder = HEED_SOURCE_DIR "/configs";

TEST(ShippedConfigs, EveryOneLoadsAndIsValid) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name = entry.path().stem().string();
    names.insert(name);
    SCOPED_TRACE(name);
    const Config config = read_config(entry.path().string());
    EXPECT_NO_THROW(validate_config(config));
    EXPECT_EQ(config.run.dir,
              std::filesystem::canonical(HEED_SOURCE_DIR).string() + "/runs/" + name);
    if (name != "reference") {
      EXPECT_NO_THROW(require_training_keys(config, name));
    }
  }
  for (const char* name : {"multi30k_ende", "alignment", "toy_bank_bahdanau", "toy_bank_erasure",
                           "toy_bank_luong", "toy_reverse", "reference"}) {
    EXPECT_EQ(names.count(name), 1u) << name;
  }
}

TEST(ShippedConfigs, EveryScoreCanTakeTheReverseToy) {
  for (const char* score : {"none", "dot", "scaled_dot", "general", "additive", "concat"}) {
    Config config = read_config(kFolder + "/toy_reverse.yaml");
    set_key(config, "model.attention.score", score);
    EXPECT_NO_THROW(validate_config(config)) << score;
  }
}

TEST(ShippedConfigs, TheReferencePageIsTheSchemas) {
  EXPECT_EQ(read_file(kFolder + "/README.md"), config_reference())
      << "write it anew: heed config --reference > configs/README.md";
}

}  // namespace
}  // namespace heed
