// The key reference, generated from the table: configs/README.md.
#include <map>

#include "base/error.h"
#include "config/schema.h"

namespace heed {
namespace {

constexpr const char* kIntroduction = R"(# Config files

Each file in this folder is a whole experiment: `heed train configs/NAME.yaml`. Any key can be changed on the
command line, with dots: `--train.epochs 3`; the command line wins over the file, the file over the defaults
below. Booleans are `true` or `false`; on the command line `--KEY`, `--no-KEY` and `--KEY false` work too.
Relative paths in a file are taken from the folder of that file, on the command line from the working directory.
`heed config FILE` checks a file and prints every key with the value that is in force.

This page is written by `heed config --reference`.
)";

const std::map<std::string, std::string>& section_titles() {
  static const std::map<std::string, std::string> titles = {
      {"run", "where a run lives and what it computes on"},
      {"data", "text and vocabulary"},
      {"model", "the network"},
      {"train", "batches, optimizer, regularisation, validation and limits"},
      {"decode", "translation"}};
  return titles;
}

std::string in_code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

std::string section_head(const std::string& section) {
  return fmt::format(
      "\n## {}: {}\n\n| key | type | default | rule | meaning |\n|---|---|---|---|---|\n", section,
      section_titles().at(section));
}

}  // namespace

std::string config_reference() {
  const Config defaults;
  std::string text = kIntroduction;
  std::string section;
  for (const Key& key : config_keys()) {
    const std::string its_section = key.name.substr(0, key.name.find('.'));
    if (its_section != section) text += section_head(section = its_section);
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, key.type,
                        in_code(key.get(defaults)), key.rule, key.help);
  }
  return text;
}

}  // namespace heed
