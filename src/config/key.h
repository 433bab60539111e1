// A config key: what the schema says about it, and access to its field in a Config.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/rules.h"

namespace heed {

struct Key {
  std::string name;  // with dots: "model.encoder.hidden"
  std::string type;  // "integer" | "number" | "boolean" | "path" | "choice"
  std::string help;  // one sentence
  std::string rule;  // readable: ">= 1", "one of: gru, lstm"; "" = any
  std::vector<std::string> choices;
  std::function<std::string(const Config&)> get;  // the value as text
  // Sets the value. Throws UserError "CALLED: ..." for a wrong type or a value against the rule;
  // `called` is the name in the message: the key's, or that of an option that stands for it.
  std::function<void(Config&, const std::string& text, const std::string& called)> assign;
  schema::Range range;  // of an integer or a number

  void set(Config& config, const std::string& text) const { assign(config, text, name); }
};

}  // namespace heed
