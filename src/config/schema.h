// One declaration of every key (config/schema.cc) gives reading YAML, the command line, help, the
// reference and the effective config.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/config.h"

namespace heed {

// What the schema says of one key, and how to reach its field in a given Config.
struct Key {
  std::string name;  // with dots: "model.encoder.hidden"
  std::string type;  // "integer" | "number" | "boolean" | "text" | "path" | "choice"
  std::string help;  // one sentence
  std::string rule;  // readable: ">= 1", "one of: gru, lstm"; "" = any
  std::vector<std::string> choices;
  std::function<std::string(const Config&)> get;  // as text
  std::function<void(Config&, const std::string& text)>
      set;  // throws UserError "KEY: ..." on a wrong type or rule
};

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

// Rules that touch several keys (tied embeddings need a shared vocabulary, ...). Throws UserError
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
