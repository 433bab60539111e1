#include "train/training_saves.h"

#include <filesystem>

#include "base/error.h"

namespace heed {

bool TrainingSaves::has_best() const { return std::filesystem::exists(best_path()); }
bool TrainingSaves::has_last() const { return std::filesystem::exists(last_path()); }

template <typename Write>
void TrainingSaves::save(Write write) {
  try {
    write();
  } catch (const UserError& error) {
    fail("{}; make room there and run the same command again: it {}", error.what(),
         has_last() ? fmt::format("goes on from update {}", last_update_) : "starts anew");
  }
}

void TrainingSaves::save_best(const TrainingState& state) {
  const WeightAverage::InPlace averaged(updater_.average());
  save([&] { save_model(best_path(), contents_, state); });
}

void TrainingSaves::save_last(const TrainingState& state) {
  save([&] {
    save_training_state(last_path(), contents_, state, updater_.optimizer(),
                        updater_.average().values());
  });
  last_update_ = state.update;
}

}  // namespace heed
