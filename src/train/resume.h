// Checks of a run that is resumed under a config that may have changed since it was saved.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace heed {

// "train.epochs: 20 -> 40" for each key whose value differs, apart from run.dir.
std::vector<std::string> changed_options(const Config& saved, const Config& now);

// Throws UserError naming the key if the parameters of the checkpoint `path` do not fit the model
// or the vocabularies that the config now asks for. Vocabulary files are not compared: that is left
// to the caller.
void check_same_model(const Config& saved, const Config& now, const std::string& path);

}  // namespace heed
