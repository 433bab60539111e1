// The implementation of Options: the declared options, the command line split by
// Boost.Program_options, and the help.
#pragma once

#include <boost/program_options.hpp>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/help.h"
#include "cli/verb.h"
#include "config/find_key.h"
#include "config/schema.h"

namespace heed::cli {

template <typename... Args>
[[noreturn]] void wrong_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw UsageError(fmt::format(format, std::forward<Args>(args)...));
}

std::string placeholder_of(const Key& key);  // "N", "X", "TEXT", or choices: "gru|lstm"
// "beam size (default: 5)"; a default of "" is not shown.
std::string with_default(const std::string& help, const std::string& default_text);
std::string with_placeholder(const std::string& name,
                             const std::string& placeholder);  // "--beam N"

struct Positional {
  std::string name, help;
  std::string* value = nullptr;
  std::vector<std::string>* more = nullptr;  // takes all further arguments
};

struct OptionParser {
  using Setter = std::function<void(const std::vector<std::string>& values)>;

  OptionParser(const std::string& its_usage, const std::string& its_description)
      : usage(its_usage), description(its_description) {}

  // Declares an option for parsing alone.
  void add(const std::string& name, boost::program_options::value_semantic* shape, Setter setter) {
    table.add_options()(name.c_str(), shape);
    names.push_back(name);
    setters[name] = std::move(setter);
  }

  // The same for one that takes exactly one value, once.
  void add_single(const std::string& name, std::function<void(const std::string&)> setter) {
    add(name, boost::program_options::value<std::string>(),
        [this, name, setter](const std::vector<std::string>& values) {
          if (given.count(name) > 0) wrong_usage("--{} is given twice", name);
          setter(values.at(0));
        });
  }

  // A row of the help. A `default_text` of "" is not shown.
  void show(const std::string& option, const std::string& help,
            const std::string& default_text = "") {
    rows.push_back({option, with_default(help, default_text)});
  }

  bool is_flag(const std::string& name) const { return flags.count(name) > 0; }
  bool is_key(const std::string& name) const { return keys != nullptr && find_key(name); }

  Arguments spell_out_flags(const Arguments& arguments) const;
  void check_is_value(const std::string& name, const std::string& word) const;
  void apply(const boost::program_options::option& option);
  void apply_positional(const std::string& value);
  void add_keys(boost::program_options::options_description& all) const;
  std::string help() const;
  std::string help_on_keys() const;
  // False if a help was asked for, and printed.
  bool parse(const Arguments& arguments);
  std::string suggestion(const std::string& name) const;

  std::string usage, description;
  boost::program_options::options_description table;
  std::vector<HelpRow> rows, decode_rows;  // of the help
  std::vector<std::string> names;
  std::map<std::string, Setter> setters;
  std::set<std::string> flags, given;
  std::vector<std::string> required;
  std::vector<Positional> positionals;
  size_t positionals_given = 0;
  KeyValues* keys = nullptr;
};

}  // namespace heed::cli
