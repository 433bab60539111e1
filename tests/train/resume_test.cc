#include "train/resume.h"

#include <gtest/gtest.h>

#include "train/user_error.h"

namespace heed {
namespace {

TEST(ChangedOptions, ListsEachKeyWithBothValuesButNotTheFolder) {
  Config saved, now;
  EXPECT_TRUE(changed_options(saved, now).empty());
  now.train.epochs = 40;
  now.data.valid.source = std::string("/data/val.en");
  now.run.dir = std::string("/elsewhere");
  EXPECT_EQ(changed_options(saved, now),
            (std::vector<std::string>{"data.valid.source: (empty) -> /data/val.en",
                                      "train.epochs: 20 -> 40"}));
}

TEST(CheckSameModel, AllowsWhatTrainingMayChange) {
  Config saved, now;
  now.train.learning_rate = 1;
  now.data.train.source = std::string("x");
  now.run.threads = 7;
  EXPECT_EQ(test::user_error([&] { check_same_model(saved, now, "last.heed"); }), "(no error)");
}

TEST(CheckSameModel, NamesTheKeyOfAnotherModelOrVocabulary) {
  const Config saved;
  Config model = saved, vocabulary = saved;
  model.model.encoder.hidden = 3;
  vocabulary.data.vocab_size = 9;
  EXPECT_EQ(test::user_error([&] {
              check_same_model(saved, model, "last.heed");
            }).rfind("last.heed: model.encoder.hidden is 256 there and 3 now", 0),
            0u);
  EXPECT_EQ(test::user_error([&] {
              check_same_model(saved, vocabulary, "last.heed");
            }).rfind("last.heed: data.vocab_size is 8000 there and 9 now", 0),
            0u);
}

}  // namespace
}  // namespace heed
