// Looking keys up by name; what the YAML reader and the command line share.
#pragma once

#include <string>

#include "config/schema.h"

namespace heed {

const Key* find_key(const std::string& name);  // nullptr where there is none
bool is_section(const std::string& name);      // "model", "model.encoder"

// The key that was probably meant by an unknown name: the same word in another section ("epochs"
// gives "train.epochs"), else the nearest spelling; "" where none is near. The same for sections.
std::string nearest_key(const std::string& name);
std::string nearest_section(const std::string& name);

// " (did you mean 'NAME'?)", or "" for "".
std::string did_you_mean(const std::string& name);

// A relative path as an absolute one, from `folder` on (symbolic links in the folder are followed
// first, so that
// ".." means what the system means by it). Unchanged where path or folder is "".
std::string resolve_path(const std::string& path, const std::string& folder);

}  // namespace heed
