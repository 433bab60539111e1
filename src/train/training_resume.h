// What a run finds in its folder when it starts: the training state of a run to go on with, if
// there is one.
#pragma once

#include <cstdint>
#include <string>

#include "train/training_saves.h"
#include "train/training_state.h"
#include "train/update.h"

namespace heed {

struct ResumedTraining {
  TrainingState state;
  // The epoch starts from its beginning, although a part of it was done: its data changed.
  bool restarted_epoch = false;
};

// Reads last.heed into the optimizer and the average of the updater; the model is that of
// load_model(last.heed, true). `metric`, and `data_order` (see data_order()), are those of the run
// now. Warns if they or the optimizer are not those that were saved: values of another metric are
// forgotten, moments of another optimizer start at zero, and an epoch of other data starts from its
// beginning. Throws UserError as load_training_state does.
ResumedTraining resume_training(TrainingSaves& saves, Model& model, Updater& updater,
                                const std::string& metric, uint64_t data_order);

}  // namespace heed
