#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "config/schema.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed {
namespace {

using test::message_of;
using test::TempDir;

Config parse(const std::string& yaml) { return parse_config(yaml, "c.yaml", ""); }

std::string refusal(const std::string& yaml) {
  return message_of<UserError>([&] { parse(yaml); });
}

TEST(ParseConfig, ReadsNestedSectionsOverTheDefaults) {
  const Config config = parse(
      "model:\n"
      "  encoder: {cell: lstm, hidden: 12}\n"
      "train:\n"
      "  learning_rate: 1e-3  # comment\n"
      "  dropout:\n"
      "    output: .5\n"
      "data: {shared_vocab: no, train: {source: \"a b\"}}\n");
  EXPECT_EQ(config.model.encoder.cell, "lstm");
  EXPECT_EQ(config.model.encoder.hidden, 12);
  EXPECT_EQ(config.model.encoder.layers, 1);
  EXPECT_EQ(config.train.learning_rate, 0.001);
  EXPECT_EQ(config.train.dropout.output, 0.5);
  EXPECT_FALSE(config.data.shared_vocab);
  EXPECT_EQ(config.data.train.source, "a b");
}

TEST(ParseConfig, ByteOrderMarkAndCarriageReturnsAreNoTrouble) {
  const Config config = parse("\xef\xbb\xbftrain:\r\n  epochs: 3\r\n  metric: bleu\r\n");
  EXPECT_EQ(config.train.epochs, 3);
  EXPECT_EQ(config.train.metric, "bleu");
}

TEST(ParseConfig, NothingInASectionKeepsItsDefaults) {
  EXPECT_EQ(to_yaml(parse("train:\nmodel:\n")), to_yaml(Config()));
  EXPECT_EQ(to_yaml(parse("# nothing\n")), to_yaml(Config()));
}

TEST(ParseConfig, UnknownKeysTellLineAndNearestName) {
  EXPECT_EQ(refusal("decode:\n  beam: 5\n  beam-sise: 5\n"),
            "c.yaml:3: unknown key 'decode.beam-sise' (did you mean 'decode.beam'?)");
  EXPECT_EQ(refusal("train:\n\n  batch-tokens: 5\n"),
            "c.yaml:3: unknown key 'train.batch-tokens' (did you mean 'train.batch_tokens'?)");
  EXPECT_EQ(refusal("trian: {epochs: 3}\n"),
            "c.yaml:1: unknown key 'trian' (did you mean 'train'?)");
  EXPECT_EQ(refusal("encoder: {hidden: 3}\n"),
            "c.yaml:1: unknown key 'encoder' (did you mean 'model.encoder'?)");
  EXPECT_EQ(refusal("hidden: 3\n"),
            "c.yaml:1: unknown key 'hidden' (did you mean 'model.encoder.hidden'?)");
  EXPECT_EQ(refusal("train: {qqqqqqqqqqqq: 3}\n"), "c.yaml:1: unknown key 'train.qqqqqqqqqqqq'");
}

TEST(ParseConfig, WrongValuesTellLineAndKey) {
  EXPECT_EQ(refusal("decode:\n  batch_tokens: 9\n\n  beam: abc\n"),
            "c.yaml:4: decode.beam: 'abc' is not an integer");
  EXPECT_EQ(refusal("train: {clip_norm: -1}"),
            "c.yaml:1: train.clip_norm: -1 is not allowed: it must be >= 0");
  EXPECT_EQ(refusal("train:\n  epochs: [1, 2]\n"),
            "c.yaml:2: train.epochs: one value expected, not a list");
  EXPECT_EQ(refusal("train:\n  epochs: {a: 2}\n"),
            "c.yaml:2: train.epochs: one value expected, not a section");
  EXPECT_EQ(refusal("train:\n  epochs:\n"),
            "c.yaml:2: train.epochs has no value: leave the key out for its default");
}

TEST(ParseConfig, AKeyGivenTwiceIsAnError) {
  EXPECT_EQ(refusal("train:\n  epochs: 3\n  updates: 1\n  epochs: 4\n"),
            "c.yaml:4: train.epochs is given twice (first in line 2)");
  EXPECT_EQ(refusal("train: {epochs: 3}\nrun: {seed: 1}\ntrain: {updates: 4}\n"),
            "c.yaml:3: train is given twice (first in line 1)");
}

TEST(ParseConfig, ASectionGivenAsAValueIsAnError) {
  EXPECT_EQ(refusal("run: {seed: 1}\nmodel: gru\n"),
            "c.yaml:2: model is a section: its keys stand below it, indented");
  EXPECT_EQ(refusal("model:\n  encoder: [gru]\n"),
            "c.yaml:2: model.encoder is a section: its keys stand below it, indented");
}

TEST(ParseConfig, WhatIsNoConfigAtAllIsAnErrorWithLine) {
  const std::string no_config =
      "not a config: sections (run, data, model, train, decode) with keys expected";
  EXPECT_EQ(refusal("just text\n"), "c.yaml:1: " + no_config);
  EXPECT_EQ(refusal("\n- a\n- b\n"), "c.yaml:2: " + no_config);
  EXPECT_EQ(refusal("? [a, b]\n: 3\n"), "c.yaml:1: a key must be a plain word");
  EXPECT_EQ(refusal("run: {seed: 1}\n---\nrun: {seed: 2}\n"),
            "c.yaml: 2 YAML documents in one file");
  EXPECT_TRUE(refusal("train:\n  epochs: 1: 2\n").starts_with("c.yaml:2: not valid YAML: "));
  EXPECT_NE(refusal(std::string(100000, '[')), "(nothing thrown)");
}

TEST(ParseConfig, RelativePathsStartFromTheGivenFolder) {
  const Config config = parse_config(
      "data: {train: {source: ../d/a.en, target: /abs/a.de}, vocab: \"\"}", "c", "/x/configs");
  EXPECT_EQ(config.data.train.source, "/x/d/a.en");
  EXPECT_EQ(config.data.train.target, "/abs/a.de");
  EXPECT_EQ(config.data.vocab, "");
}

TEST(ReadConfig, RelativePathsStartFromTheFolderOfTheFile) {
  const TempDir dir;
  std::filesystem::create_directories(dir.path() + "/deep/configs");
  write_file(dir.path() + "/deep/configs/c.yaml", "run: {dir: ../runs/a}\n");
  EXPECT_EQ(read_config(dir.path() + "/deep/configs/c.yaml").run.dir,
            std::filesystem::canonical(dir.path()).string() + "/deep/runs/a");
}

TEST(ReadConfig, FollowsALinkedFolderBeforeGoingUp) {
  const TempDir dir;
  std::filesystem::create_directories(dir.path() + "/deep/configs");
  write_file(dir.path() + "/deep/configs/c.yaml", "run: {dir: ../runs/a}\n");
  std::filesystem::create_directory_symlink(dir.path() + "/deep/configs", dir.path() + "/link");
  EXPECT_EQ(read_config(dir.path() + "/link/c.yaml").run.dir,
            std::filesystem::canonical(dir.path()).string() + "/deep/runs/a");
}

TEST(ReadConfig, MissingOrEmptyFileIsNamed) {
  const TempDir dir;
  const std::string path = dir.path() + "/c.yaml";
  EXPECT_EQ(message_of<UserError>([&] { read_config(path); }),
            path + ": cannot open: No such file or directory");
  write_file(path, "");
  EXPECT_EQ(message_of<UserError>([&] { read_config(path); }), path + ": the file is empty");
  write_file(path, "train: {epocs: 1}\n");
  EXPECT_EQ(message_of<UserError>([&] { read_config(path); }),
            path + ":1: unknown key 'train.epocs' (did you mean 'train.epochs'?)");
}

// Text as users may name files, with what is syntax in YAML.
rc::Gen<std::string> odd_text() {
  return rc::gen::container<std::string>(
      rc::gen::element('a', 'B', '7', ' ', ':', '#', '\'', '"', '\\', '-', '{', '}', '[', ']', ',',
                       '&', '*', '!', '|', '>', '%', '@', '`', '~', '.', '/', '\t', '?', '='));
}

TEST(ToYaml, ReadsBackToTheSameConfig) {
  const bool holds = rc::check([] {
    Config config;
    for (const Key& key : config_keys()) {
      std::string value = key.get(config);
      if (key.type == "path") value = *odd_text();
      if (key.type == "boolean") value = *rc::gen::arbitrary<bool>() ? "true" : "false";
      if (key.type == "choice") value = *rc::gen::elementOf(key.choices);
      if (key.type == "integer") value = std::to_string(*rc::gen::inRange(4, 33));
      if (key.type == "number") {
        value = fmt::format("{:.17g}", *rc::gen::inRange(1, 1 << 30) / double(1 << 30));
      }
      key.set(config, value);
    }
    const Config again = parse(to_yaml(config));
    for (const Key& key : config_keys()) RC_ASSERT(key.get(again) == key.get(config));
    RC_ASSERT(again.train.learning_rate == config.train.learning_rate);
    RC_ASSERT(again.data.vocab == config.data.vocab);
  });
  EXPECT_TRUE(holds);
}

TEST(ToYaml, KeepsTextThatLooksLikeNull) {
  for (const char* text : {"~", "null", "", "true", "12", "a\nb", "\xc3\xa9"}) {
    Config config;
    config.run.dir = text;
    EXPECT_EQ(parse(to_yaml(config)).run.dir, text);
  }
}

}  // namespace
}  // namespace heed
