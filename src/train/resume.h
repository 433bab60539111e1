// Going on with a run under a config that may have changed since it was saved.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace heed {

// "train.epochs: 20 -> 40" for each key whose value differs; run.dir and how it is written do not
// count.
std::vector<std::string> changed_options(const Config& saved, const Config& now);

// Throws UserError naming the key when a change asks for another model or other vocabularies than
// the parameters belong to. `path` is the checkpoint. Files of ready vocabularies are the caller's
// to compare.
void check_same_model(const Config& saved, const Config& now, const std::string& path);

}  // namespace heed
