// The files of a run that hold models: best.heed and last.heed.
#pragma once

#include <cstdint>
#include <string>

#include "train/checkpoint.h"
#include "train/training_state.h"
#include "train/update.h"

namespace heed {

class TrainingSaves {
 public:
  // The files lie in contents.config.run.dir, which exists. What `contents` refers to, and the
  // updater, must outlive the saves.
  TrainingSaves(const CheckpointContents& contents, Updater& updater)
      : contents_(contents), updater_(updater) {}

  std::string best_path() const { return contents_.config.run.dir + "/best.heed"; }
  std::string last_path() const { return contents_.config.run.dir + "/last.heed"; }
  bool has_best() const;
  bool has_last() const;

  // Both write a file whole or not at all. Throws UserError if that fails (a full disk): its
  // message says from which update the run will go on. Only the updates since then are lost.
  void save_best(const TrainingState& state);  // with the average of the weights, if one is kept
  void save_last(const TrainingState& state);

  // The update of last.heed; -1 if there is none yet.
  int64_t last_update() const { return last_update_; }
  // Says that last.heed holds this update, as a run finds it that goes on.
  void set_last_update(int64_t update) { last_update_ = update; }

 private:
  template <typename Write>
  void save(Write write);

  CheckpointContents contents_;
  Updater& updater_;
  int64_t last_update_ = -1;
};

}  // namespace heed
