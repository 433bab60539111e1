#include <gtest/gtest.h>

#include "base/error.h"
#include "config/schema.h"
#include "support/message_of.h"

namespace heed {
namespace {

using test::message_of;

std::string refusal(const std::string& yaml) {
  return message_of<UserError>([&] { validate_config(parse_config(yaml, "c", "")); });
}

const char* const kFine = "(nothing thrown)";

TEST(ValidateConfig, DefaultsAreFine) { EXPECT_EQ(refusal(""), kFine); }

TEST(ValidateConfig, TyingAllNeedsASharedVocabulary) {
  EXPECT_EQ(refusal("{model: {tied_embeddings: all}, data: {shared_vocab: false}}"),
            "model.tied_embeddings all needs data.shared_vocab: true (or use target)");
  EXPECT_EQ(refusal("{model: {tied_embeddings: target}, data: {shared_vocab: false}}"), kFine);
  EXPECT_EQ(refusal("{model: {tied_embeddings: all}}"), kFine);
}

TEST(ValidateConfig, TyingNeedsAReadoutOfTheEmbeddingsSize) {
  for (const std::string tied : {"target", "all"}) {
    const std::string head = "{model: {embedding: 64, tied_embeddings: " + tied;
    EXPECT_EQ(refusal(head + ", decoder: {readout: 32}}}"),
              "model.decoder.readout is 32, model.embedding is 64: with model.tied_embeddings " +
                  tied + " they must be equal (or leave readout 0)");
    EXPECT_EQ(refusal(head + ", decoder: {readout: 64}}}"), kFine);
    EXPECT_EQ(refusal(head + "}}"), kFine);
  }
  EXPECT_EQ(refusal("{model: {embedding: 64, decoder: {readout: 32}}}"), kFine);
}

TEST(ValidateConfig, DotScoresNeedStatesOfOneSize) {
  const auto config = [](const char* score, int hidden, const char* bidirectional) {
    return fmt::format(
        "{{model: {{attention: {{score: {}}}, decoder: {{hidden: 64}}, "
        "encoder: {{hidden: {}, bidirectional: {}}}}}}}",
        score, hidden, bidirectional);
  };
  for (const char* score : {"dot", "scaled_dot"}) {
    EXPECT_EQ(refusal(config(score, 32, "true")), kFine);
    EXPECT_EQ(refusal(config(score, 64, "false")), kFine);
    EXPECT_EQ(refusal(config(score, 64, "true")),
              fmt::format("model.attention.score {} needs model.decoder.hidden (64) equal to the "
                          "encoder's states (model.encoder.hidden 64 x 2 directions = 128): change "
                          "a size or use general, additive or concat",
                          score));
  }
  for (const char* score : {"none", "general", "additive", "concat"}) {
    EXPECT_EQ(refusal(config(score, 64, "true")), kFine);
  }
}

TEST(ValidateConfig, TextIsTwoFilesOrOneTsv) {
  EXPECT_EQ(refusal("{data: {train: {source: a}}}"),
            "data.train.source is given without data.train.target: give both sides");
  EXPECT_EQ(refusal("{data: {valid: {target: a}}}"),
            "data.valid.target is given without data.valid.source: give both sides");
  EXPECT_EQ(refusal("{data: {train: {source: a, target: b, tsv: c}}}"),
            "data.train.tsv and data.train.source/target are both given: give one tsv file or two "
            "files");
  EXPECT_EQ(refusal("{data: {train: {tsv: c}, valid: {source: a, target: b}}}"), kFine);
}

TEST(ValidateConfig, ReadyVocabulariesFitTheSharing) {
  EXPECT_EQ(refusal("{data: {source_vocab: a, target_vocab: b}}"),
            "data.source_vocab and data.target_vocab need data.shared_vocab: false");
  EXPECT_EQ(refusal("{data: {source_vocab: a, shared_vocab: false}}"),
            "data.source_vocab and data.target_vocab belong together: give both");
  EXPECT_EQ(refusal("{data: {vocab: a, shared_vocab: false}}"),
            "data.vocab serves both sides and needs data.shared_vocab: true");
  EXPECT_NE(refusal("{data: {vocab: a, source_vocab: a, target_vocab: b}}"), kFine);
  EXPECT_NE(refusal("{data: {vocab: a, tokenizer: word}}"), kFine);
  EXPECT_EQ(refusal("{data: {vocab: a}}"), kFine);
  EXPECT_EQ(refusal("{data: {source_vocab: a, target_vocab: b, shared_vocab: false}}"), kFine);
}

TEST(ValidateConfig, TrainingKeysFitTogether) {
  EXPECT_EQ(refusal("{train: {learning_rate: 0.1, min_learning_rate: 0.5}}"),
            "train.min_learning_rate 0.5 is above train.learning_rate 0.1");
  EXPECT_EQ(refusal("{train: {schedule: inverse_sqrt}}"),
            "train.schedule inverse_sqrt needs train.warmup >= 1");
  EXPECT_EQ(refusal("{train: {schedule: inverse_sqrt, warmup: 1}}"), kFine);
  EXPECT_EQ(refusal("{train: {schedule: linear, epochs: 0, minutes: 5}}"),
            "train.schedule linear falls to 0 at train.epochs or train.updates: give one of them");
  EXPECT_EQ(refusal("{train: {schedule: linear, epochs: 0, updates: 5}}"), kFine);
  EXPECT_EQ(refusal("{train: {epochs: 0, patience: 0}}"),
            "train.epochs, train.updates, train.minutes and train.patience are all 0: the run "
            "would never end; set one");
  EXPECT_EQ(refusal("{train: {epochs: 0, patience: 0, updates: 1}}"), kFine);
  EXPECT_EQ(refusal("{train: {schedule: plateau}, data: {train: {tsv: a}}}"),
            "train.schedule plateau needs validation text: give data.valid.source and "
            "data.valid.target");
  EXPECT_EQ(refusal("{train: {schedule: plateau}, data: {train: {tsv: a}, valid: {tsv: b}}}"),
            kFine);
}

TEST(RequireTrainingKeys, NamesTheMissingKey) {
  const auto message = [](const std::string& yaml) {
    return message_of<UserError>([&] { require_training_keys(parse_config(yaml, "c", ""), "c"); });
  };
  EXPECT_EQ(message("data: {train: {tsv: t}}"),
            "c: run.dir is missing: name the folder this run is kept in");
  EXPECT_EQ(message("run: {dir: r}"),
            "c: data.train is missing: give data.train.source and data.train.target, or "
            "data.train.tsv");
  EXPECT_EQ(message("{run: {dir: r}, data: {train: {tsv: t}}}"), kFine);
  EXPECT_EQ(message("{run: {dir: r}, data: {train: {source: a, target: b}}}"), kFine);
}

}  // namespace
}  // namespace heed
