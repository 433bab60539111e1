#include "cli/option_parser.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/files.h"
#include "base/nearest.h"
#include "base/numbers.h"
#include "config/find_key.h"

namespace heed::cli {
namespace po = boost::program_options;
namespace {

// No short options (so "-" and "-1" are values) and no prefix guessing.
constexpr int kStyle = po::command_line_style::allow_long |
                       po::command_line_style::long_allow_adjacent |
                       po::command_line_style::long_allow_next;

bool is_truth_value(const std::string& word) {
  return word == "true" || word == "false" || word == "yes" || word == "no";
}

void print_help(const std::string& text) {
  Output out("-");
  out.line(text.substr(0, text.size() - 1));  // line() ends the last line again
  out.commit();
}

}  // namespace

std::string placeholder_of(const Key& key) {
  if (!key.choices.empty()) return fmt::format("{}", fmt::join(key.choices, "|"));
  return key.type == "integer" ? "N" : key.type == "number" ? "X" : "TEXT";
}

std::string with_default(const std::string& help, const std::string& default_text) {
  return default_text.empty() ? help : help + " (default: " + default_text + ")";
}

std::string with_placeholder(const std::string& name, const std::string& placeholder) {
  return placeholder.empty() ? "--" + name : "--" + name + " " + placeholder;
}

// "--x", "--no-x" and "--x false" of a boolean become "--x=true" and so on: otherwise Boost would
// take the word after "--x" for its value, whatever it is.
Arguments OptionParser::spell_out_flags(const Arguments& arguments) const {
  Arguments result;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") {
      result.insert(result.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i),
                    arguments.end());
      return result;
    }
    const std::string name = word.substr(0, word.find('='));
    if (name != word && name.starts_with("--no-") && is_flag(name.substr(5))) {
      wrong_usage("{} takes no value", name);
    } else if (word.starts_with("--no-") && is_flag(word.substr(5))) {
      result.push_back("--" + word.substr(5) + "=false");
    } else if (word.starts_with("--") && is_flag(word.substr(2))) {
      const bool has_value = i + 1 < arguments.size() && is_truth_value(arguments[i + 1]);
      result.push_back(word + "=" + (has_value ? arguments[++i] : "true"));
    } else if (word.starts_with("--") && word.ends_with("=")) {  // an empty value
      result.push_back(word.substr(0, word.size() - 1));
      result.emplace_back();
    } else {
      result.push_back(word);
    }
  }
  return result;
}

std::string OptionParser::suggestion(const std::string& name) const {
  std::vector<std::string> known = names;
  for (const std::string& flag : flags) known.push_back("no-" + flag);
  std::string near = nearest_name(name, known);
  if (near.empty() && keys != nullptr) near = nearest_key(name);
  return did_you_mean(near.empty() ? "" : "--" + near);
}

void OptionParser::apply_positional(const std::string& value) {
  if (value.size() > 1 && value[0] == '-' && !parse_real(value)) {
    wrong_usage("unknown option '{}'{}", value, suggestion(value.substr(1)));
  }
  if (positionals_given == positionals.size()) wrong_usage("unexpected argument '{}'", value);
  const Positional& positional = positionals[positionals_given];
  given.insert(positional.name);
  if (positional.more != nullptr) {
    positional.more->push_back(value);
    return;
  }
  *positional.value = value;
  ++positionals_given;
}

// Boost takes "--sorce" in "--model --sorce F" for the value of --model.
void OptionParser::check_is_value(const std::string& name, const std::string& word) const {
  if (!word.starts_with("--")) return;
  const std::string other = word.substr(2, word.find('=') - 2);
  if (other.empty() || setters.count(other) > 0 || is_key(other)) {
    wrong_usage("--{} needs a value", name);
  }
  wrong_usage("unknown option '--{}'{}", other, suggestion(other));
}

void OptionParser::apply(const po::option& option) {
  if (option.string_key.empty()) {
    for (const std::string& value : option.value) apply_positional(value);
    return;
  }
  const std::string& name = option.string_key;
  for (size_t i = 1; i < option.original_tokens.size(); ++i) {
    check_is_value(name, option.original_tokens[i]);
  }
  if (is_key(name)) {
    keys->emplace_back(name, option.value.at(0));
  } else {
    setters.at(name)(option.value);
  }
  given.insert(name);
}

void OptionParser::add_keys(po::options_description& all) const {
  if (keys == nullptr) return;
  for (const Key& key : heed::config_keys())
    all.add_options()(key.name.c_str(), po::value<std::string>());
}

std::string OptionParser::help() const {
  const int width = help_width();
  std::string text = wrapped("usage: " + usage, width, 2) + "\n" + wrapped(description, width);
  if (!positionals.empty()) text += "\nArguments:\n";
  std::vector<HelpRow> arguments;
  for (const Positional& positional : positionals)
    arguments.push_back({positional.name, positional.help});
  text += wrapped_rows(arguments, width) + "\nOptions:\n" + wrapped_rows(rows, width);
  if (!decode_rows.empty())
    text += wrapped("\nOptions whose default is the model's (decode.NAME for --NAME):\n", width) +
            wrapped_rows(decode_rows, width);
  return text;
}

std::string OptionParser::help_on_keys() const {
  const int width = help_width();
  const Config defaults;
  std::vector<HelpRow> all;
  for (const Key& key : heed::config_keys())
    all.push_back({with_placeholder(key.name, placeholder_of(key)),
                   with_default(key.help, key.get(defaults))});
  return wrapped("Config keys; on the command line they win over the config file:\n", width) +
         wrapped_rows(all, width);
}

bool OptionParser::parse(const Arguments& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const auto has = [&](const char* word) { return std::find(arguments.begin(), end, word) != end; };
  if (has("--help") || has("-h")) {
    print_help(help());
    return false;
  }
  if (keys != nullptr && has("--help-keys")) {
    print_help(help_on_keys());
    return false;
  }
  po::options_description all;
  all.add(table);
  add_keys(all);
  try {
    const auto words = spell_out_flags(arguments);
    const auto parsed = po::command_line_parser(words).options(all).style(kStyle).run();
    for (const po::option& option : parsed.options) apply(option);
  } catch (const po::unknown_option& error) {
    const std::string shown = error.get_option_name();
    const size_t begin = std::min(shown.size(), shown.find_first_not_of('-'));
    const std::string name = shown.substr(begin, shown.find('=') - begin);
    throw UsageError(fmt::format("unknown option '--{}'{}", name, suggestion(name)));
  } catch (const po::invalid_command_line_syntax& error) {
    throw UsageError(fmt::format("{} needs a value", error.get_option_name()));
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  for (const std::string& name : required) {
    const bool is_option = setters.count(name) > 0;
    if (given.count(name) == 0) wrong_usage("{}{} is required", is_option ? "--" : "", name);
  }
  return true;
}

}  // namespace heed::cli
