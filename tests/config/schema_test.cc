#include "config/schema.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "support/message_of.h"

namespace heed {
namespace {

using test::message_of;

const Key& key(const std::string& name) {
  for (const Key& key : config_keys()) {
    if (key.name == name) return key;
  }
  throw std::runtime_error("no key " + name);
}

std::string refusal(const std::string& name, const std::string& text) {
  Config config;
  return message_of<UserError>([&] { key(name).set(config, text); });
}

TEST(ConfigKeys, NamesAreUniqueAndEveryKeyHasAHelpSentence) {
  std::set<std::string> names;
  for (const Key& key : config_keys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_TRUE(key.help.ends_with(".")) << key.name;
    EXPECT_EQ(key.help.find('|'), std::string::npos) << key.name << ": breaks a Markdown table";
    EXPECT_EQ(key.type == "choice", !key.choices.empty()) << key.name;
  }
  EXPECT_GT(names.size(), 60u);
}

TEST(ConfigKeys, DefaultsObeyTheirOwnRules) {
  const Config defaults;
  for (const Key& key : config_keys()) {
    Config config;
    EXPECT_NO_THROW(key.set(config, key.get(defaults))) << key.name;
    EXPECT_EQ(key.get(config), key.get(defaults)) << key.name;
  }
}

// Two keys that reach the same field, or a field set under a wrong name, would show here.
TEST(ConfigKeys, SettingAKeyChangesThatKeyOnly) {
  const Config defaults;
  for (const Key& key : config_keys()) {
    Config config;
    std::string value = "1";
    if (key.type == "boolean") value = key.get(defaults) == "true" ? "false" : "true";
    if (key.type == "number") value = "0.625";
    if (key.type == "integer") value = "7";
    if (key.type == "choice") value = key.choices.back();
    key.set(config, value);
    EXPECT_EQ(key.get(config), value) << key.name;
    for (const Key& other : config_keys()) {
      if (other.name != key.name) {
        EXPECT_EQ(other.get(config), other.get(defaults)) << key.name << " changed " << other.name;
      }
    }
  }
}

TEST(ConfigKeys, ReachTheFieldsTheyName) {
  Config config;
  key("run.seed").set(config, "9223372036854775807");
  key("train.updates").set(config, "5000000000");
  key("model.encoder.hidden").set(config, "96");
  key("train.learning_rate").set(config, "2.5e-4");
  key("data.shared_vocab").set(config, "no");
  key("data.train.tsv").set(config, "a b.tsv");
  EXPECT_EQ(config.run.seed, 9223372036854775807u);
  EXPECT_EQ(config.train.updates, 5000000000);
  EXPECT_EQ(config.model.encoder.hidden, 96);
  EXPECT_EQ(config.train.learning_rate, 2.5e-4);
  EXPECT_FALSE(config.data.shared_vocab);
  EXPECT_EQ(config.data.train.tsv, "a b.tsv");
}

TEST(ConfigKeys, IntegersRefuseWhatIsNotOne) {
  for (const char* text : {"abc", "", "1.5", "1e3", " 3", "3 ", "0x10"}) {
    EXPECT_EQ(refusal("train.epochs", text),
              fmt::format("train.epochs: '{}' is not an integer", text));
  }
}

TEST(ConfigKeys, IntegersOutOfRangeNameTheRule) {
  EXPECT_EQ(refusal("train.valid_every", "0"),
            "train.valid_every: 0 is not allowed: it must be >= 1 and <= 2147483647");
  EXPECT_EQ(refusal("model.encoder.layers", "33"),
            "model.encoder.layers: 33 is not allowed: it must be >= 1 and <= 32");
  EXPECT_EQ(refusal("train.epochs", "99999999999999999999999"),
            "train.epochs: 99999999999999999999999 is not allowed: it must be >= 0 and <= "
            "2147483647");
}

TEST(ConfigKeys, NumbersRefuseWhatIsNotFiniteOrNotANumber) {
  for (const char* text : {"abc", "", "nan", "inf", "0,5", "1e999"}) {
    EXPECT_EQ(refusal("train.learning_rate", text),
              fmt::format("train.learning_rate: '{}' is not a number", text));
  }
}

TEST(ConfigKeys, NumbersOutOfRangeNameTheRule) {
  EXPECT_EQ(refusal("train.learning_rate", "0"),
            "train.learning_rate: 0 is not allowed: it must be > 0");
  EXPECT_EQ(refusal("train.dropout.states", "1"),
            "train.dropout.states: 1 is not allowed: it must be >= 0 and < 1");
  EXPECT_EQ(refusal("train.dropout.states", "0.999999999"),  // 1 in single precision
            "train.dropout.states: 0.999999999 is not allowed: it must be >= 0 and < 1");
  EXPECT_EQ(refusal("train.decay_factor", "1"),
            "train.decay_factor: 1 is not allowed: it must be > 0 and < 1");
}

TEST(ConfigKeys, BooleansAreTrueFalseYesNo) {
  Config config;
  for (const auto& [text, value] : {std::pair<const char*, bool>{"true", true},
                                    {"false", false},
                                    {"yes", true},
                                    {"no", false}}) {
    key("data.lowercase").set(config, text);
    EXPECT_EQ(config.data.lowercase, value) << text;
  }
  EXPECT_EQ(refusal("data.lowercase", "1"),
            "data.lowercase: '1' is not a boolean: write true or false");
}

TEST(ConfigKeys, ChoicesTellTheNearestName) {
  EXPECT_EQ(refusal("model.attention.score", "aditive"),
            "model.attention.score: 'aditive' is not one of: none, dot, scaled_dot, general, "
            "additive, concat (did you mean 'additive'?)");
  EXPECT_EQ(refusal("run.precision", "f23"),
            "run.precision: 'f23' is not one of: f32, bf16 (did you mean 'f32'?)");
}

TEST(SetKey, UnknownKeyIsWrongUsageWithTheNearestName) {
  Config config;
  const auto message = [&](const std::string& name) {
    return message_of<UsageError>([&] { set_key(config, name, "1"); });
  };
  EXPECT_EQ(message("train.epoch"), "unknown key 'train.epoch' (did you mean 'train.epochs'?)");
  EXPECT_EQ(message("epochs"), "unknown key 'epochs' (did you mean 'train.epochs'?)");
  EXPECT_EQ(message("train.beam"), "unknown key 'train.beam' (did you mean 'decode.beam'?)");
  EXPECT_EQ(message("qqqqqqqq"), "unknown key 'qqqqqqqq'");
}

TEST(SetKey, RelativePathsStartFromTheWorkingDirectory) {
  Config config;
  set_key(config, "run.dir", "runs/../x");
  EXPECT_EQ(config.run.dir, (std::filesystem::current_path() / "x").string());
  set_key(config, "run.dir", "/dev/stdin");
  EXPECT_EQ(config.run.dir, "/dev/stdin");
  set_key(config, "run.dir", "");
  EXPECT_EQ(config.run.dir, "");
}

}  // namespace
}  // namespace heed
