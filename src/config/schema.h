// One declaration of every key (config/schema.cc) gives reading YAML, the command line, help, the
// reference and the effective config.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/config.h"
#include "config/key.h"

namespace heed {

const std::vector<Key>& config_keys();

// Reads a YAML file over the defaults. Relative paths are taken from the file's folder. Throws
// UserError "FILE:LINE: unknown key 'train.beam_sise' (did you mean ...?)", "FILE:LINE: KEY: 'abc'
// is not an integer".
Config read_config(const std::string& path);

// The same from text; `name` stands in messages, `folder` is where relative paths start from.
Config parse_config(const std::string& yaml, const std::string& name, const std::string& folder);

// Sets one key from the command line ("train.epochs", "3"). Throws UsageError for an unknown key
// with the nearest name, UserError for a bad value.
void set_key(Config& config, const std::string& name, const std::string& value);

// Keys and their values as given on the command line, in order: {"train.epochs", "3"}.
using KeyValues = std::vector<std::pair<std::string, std::string>>;
void set_keys(Config& config, const KeyValues& given);  // set_key() for each

// Rules that involve several keys (tied embeddings need a shared vocabulary, ...). Throws UserError
// naming the keys.
void validate_config(const Config& config);

// What `heed train` needs besides: run.dir and training text. Throws UserError naming the config
// file and the key.
void require_training_keys(const Config& config, const std::string& path);

// The effective config as YAML that read_config reads back to an equal Config.
std::string to_yaml(const Config& config);

// Every key with type, default, rule and help, as Markdown: configs/README.md.
std::string config_reference();

}  // namespace heed
