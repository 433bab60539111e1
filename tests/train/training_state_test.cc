#include "train/training_state.h"

#include <gtest/gtest.h>

#include "train/user_error.h"

namespace heed {
namespace {

TrainingState some_state() {
  TrainingState state;
  state.update = 1234567890123;
  state.epoch = 3;
  state.position = 17;
  state.data_order = 0xffffffffffffffffu;
  state.target_tokens = 99;
  state.minutes = 0.1;
  state.last_validation = 1200;
  state.metric = "bleu";
  state.saved = {1.0 / 3.0, 1100, 2};
  state.regular = {std::nullopt, 0, 5};
  state.schedule = {0.1 + 0.2, 1};
  state.optimizer = "adam";
  state.optimizer_steps = 42;
  return state;
}

TEST(TrainingState, ComesBackBitForBit) {
  const TrainingState state = some_state();
  EXPECT_EQ(parse_training_state(to_json(state), "x"), state);
}

TEST(TrainingState, DamageIsTheUsersLine) {
  for (const char* text : {"", "{}", "[]", "{\"update\": \"x\"}"}) {
    EXPECT_EQ(test::user_error([&] {
                parse_training_state(text, "run/last.heed");
              }).rfind("run/last.heed: damaged: training_state: ", 0),
              0u)
        << text;
  }
}

TEST(DataOrder, ChangesWithCorpusSeedAndBatchOptions) {
  Corpus one, two;
  const std::vector<TokenId> a = {3, 4}, b = {3, 5};
  one.add(a, b);
  two.add(a, a);
  const BatchOptions options, smaller{1000, 0, 50}, sentences{2000, 8, 50}, pools{2000, 0, 10};
  const uint64_t order = data_order(one, options, 1);
  EXPECT_EQ(data_order(one, options, 1), order);
  EXPECT_NE(data_order(two, options, 1), order);
  EXPECT_NE(data_order(one, options, 2), order);
  for (const BatchOptions& other : {smaller, sentences, pools}) {
    EXPECT_NE(data_order(one, other, 1), order);
  }
}

}  // namespace
}  // namespace heed
