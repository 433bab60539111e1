#include "train/training_resume.h"

#include "base/log.h"

namespace heed {

ResumedTraining resume_training(TrainingSaves& saves, Model& model, Updater& updater,
                                const std::string& metric, uint64_t data_order) {
  ResumedTraining resumed;
  TrainingState& state = resumed.state;
  Optimizer& optimizer = updater.optimizer();
  state = load_training_state(saves.last_path(), model, optimizer, updater.average().values());
  saves.set_last_update(state.update);
  if (state.optimizer != optimizer.name())
    spdlog::warn("train.optimizer was {} and is {} now: its moments start at zero", state.optimizer,
                 optimizer.name());
  if (state.metric != metric) {
    spdlog::warn(
        "train.metric was {} and is {} now: there is no best value yet, the next "
        "validation replaces {}",
        state.metric, metric, saves.best_path());
    state.saved = state.regular = {};
  }
  if (state.data_order != data_order) {
    spdlog::warn(
        "the training data, its batches or the seed are not those of {}: epoch {} starts "
        "from its beginning",
        saves.last_path(), state.epoch + 1);
    resumed.restarted_epoch = state.position > 0;
    state.position = 0;
  }
  return resumed;
}

}  // namespace heed
