// Keys by name, for the YAML reader and the command line.
#pragma once

#include <string>

#include "config/schema.h"

namespace heed {

const Key* find_key(const std::string& name);  // nullptr if there is none
bool is_section(const std::string& name);      // "model", "model.encoder"

// The key that was probably meant by an unknown name: the same word in another section ("epochs"
// gives "train.epochs"), else the nearest spelling; "" if none is near. The same for sections.
std::string nearest_key(const std::string& name);
std::string nearest_section(const std::string& name);

// " (did you mean 'NAME'?)", or "" for "".
std::string did_you_mean(const std::string& name);

// Makes a relative path absolute, starting from `folder`. Symbolic links in the folder are resolved
// first, so that ".." means what it means to the system. Unchanged if path or folder is "".
std::string resolve_path(const std::string& path, const std::string& folder);

}  // namespace heed
