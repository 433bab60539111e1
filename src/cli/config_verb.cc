// heed config: the effective config, validated; or the reference of all keys.
#include "base/error.h"
#include "base/files.h"
#include "cli/options.h"
#include "config/schema.h"

namespace heed::cli {
namespace {

std::string effective_config(const std::string& path, const KeyValues& given) {
  Config config = path.empty() ? Config() : read_config(path);
  set_keys(config, given);
  validate_config(config);
  return to_yaml(config);
}

}  // namespace

int run_config(const Arguments& arguments) {
  std::string path;
  bool reference = false;
  KeyValues given;
  Options options("heed config [CONFIG.yaml] [--section.key VALUE]... | heed config --reference",
                  "Checks a config and prints every key with the value in force (YAML, absolute "
                  "paths), or every key with type, default, rule and help (Markdown).");
  options.positional("CONFIG.yaml", path, "config file; without it the defaults")
      .flag("reference", reference, "print the key reference instead")
      .config_keys(given);
  if (!options.parse(arguments)) return 0;
  if (reference && (!path.empty() || !given.empty())) {
    throw UsageError("--reference describes all keys: it takes no config file and no keys");
  }
  Output out("-");
  std::string text = reference ? config_reference() : effective_config(path, given);
  text.pop_back();  // line() ends the last line again
  out.line(text);
  out.commit();
  return 0;
}

}  // namespace heed::cli
