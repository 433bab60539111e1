// A thin layer over Boost.Program_options: it cuts the command line and prints the help; values are
// read here, through base/numbers.h, so that messages and number formats are the same everywhere.
#include "cli/options.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "base/error.h"
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

template <typename... Args>
[[noreturn]] void wrong_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw UsageError(fmt::format(format, std::forward<Args>(args)...));
}

bool read_flag(const std::string& name, const std::string& text) {
  if (!is_truth_value(text)) wrong_usage("--{}: '{}' is not true or false", name, text);
  return text == "true" || text == "yes";
}

int64_t read_integer(const std::string& name, const std::string& text, int64_t least) {
  const auto value = parse_int(text);
  if (!value) wrong_usage("--{}: '{}' is not an integer", name, text);
  if (*value < least) wrong_usage("--{}: {} is not allowed: it must be >= {}", name, text, least);
  return *value;
}

double read_number(const std::string& name, const std::string& text) {
  const auto value = parse_real(text);
  if (!value || !std::isfinite(*value)) wrong_usage("--{}: '{}' is not a number", name, text);
  return *value;
}

const std::string& read_choice(const std::string& name, const std::string& text,
                               const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
    wrong_usage("--{}: '{}' is not one of: {}{}", name, text, fmt::join(allowed, ", "),
                did_you_mean(nearest_name(text, allowed)));
  }
  return text;
}

struct Positional {
  std::string name, help;
  std::string* value = nullptr;
  std::vector<std::string>* rest = nullptr;  // takes all further arguments
};

}  // namespace

void check_not_read(const NamedFile& output, const std::vector<NamedFile>& read) {
  const auto is_file = [](const std::string& path) { return !path.empty() && path != "-"; };
  for (const NamedFile& input : read) {
    std::error_code none;
    if (!is_file(output.path) || !is_file(input.path)) continue;
    if (std::filesystem::equivalent(output.path, input.path, none))
      wrong_usage(
          "{} and {} are the same file '{}', which would be lost: give the output another name",
          input.option, output.option, output.path);
  }
}

struct Options::State {
  using Setter = std::function<void(const std::vector<std::string>& values)>;

  explicit State(const std::string& its_usage, const std::string& its_description)
      : usage(its_usage), description(its_description), table("Options", 100, 60) {}

  // Declares an option; a `default_text` of "" is not shown.
  void add(const std::string& name, po::value_semantic* shape, const std::string& help,
           const std::string& default_text, Setter setter) {
    const std::string shown = default_text.empty() ? "" : " (default: " + default_text + ")";
    table.add_options()(name.c_str(), shape, (help + shown).c_str());
    names.push_back(name);
    setters[name] = std::move(setter);
  }

  // An option that takes exactly one value, once.
  void add_single(const std::string& name, const char* placeholder, const std::string& help,
                  const std::string& default_text, std::function<void(const std::string&)> setter) {
    add(name, po::value<std::string>()->value_name(placeholder), help, default_text,
        [this, name, setter](const std::vector<std::string>& values) {
          if (given.count(name) > 0) wrong_usage("--{} is given twice", name);
          setter(values.at(0));
        });
  }

  bool is_flag(const std::string& name) const { return flags.count(name) > 0; }
  bool is_key(const std::string& name) const { return keys != nullptr && find_key(name); }

  Arguments spell_out_flags(const Arguments& arguments) const;
  void check_is_value(const std::string& name, const std::string& word) const;
  void apply(const po::option& option);
  void apply_positional(const std::string& value);
  void add_key_table(po::options_description& all) const;
  void print_help() const;
  std::string suggestion(const std::string& name) const;

  std::string usage, description;
  po::options_description table;
  std::vector<std::string> names;
  std::map<std::string, Setter> setters;
  std::set<std::string> flags, given;
  std::vector<std::string> required;
  std::vector<Positional> positionals;
  size_t positionals_given = 0;
  std::vector<std::pair<std::string, std::string>>* keys = nullptr;
};

// "--x", "--no-x" and "--x false" of a boolean become "--x=true" and so on: otherwise Boost would
// take the word after "--x" for its value, whatever it is.
Arguments Options::State::spell_out_flags(const Arguments& arguments) const {
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

std::string Options::State::suggestion(const std::string& name) const {
  std::vector<std::string> known = names;
  for (const std::string& flag : flags) known.push_back("no-" + flag);
  std::string near = nearest_name(name, known);
  if (near.empty() && keys != nullptr) near = nearest_key(name);
  return did_you_mean(near.empty() ? "" : "--" + near);
}

void Options::State::apply_positional(const std::string& value) {
  if (value.size() > 1 && value[0] == '-' && !parse_real(value)) {
    wrong_usage("unknown option '{}'{}", value, suggestion(value.substr(1)));
  }
  if (positionals_given == positionals.size()) wrong_usage("unexpected argument '{}'", value);
  const Positional& positional = positionals[positionals_given];
  given.insert(positional.name);
  if (positional.rest != nullptr) {
    positional.rest->push_back(value);
    return;
  }
  *positional.value = value;
  ++positionals_given;
}

// Boost takes "--sorce" in "--model --sorce F" for the value of --model.
void Options::State::check_is_value(const std::string& name, const std::string& word) const {
  if (!word.starts_with("--")) return;
  const std::string other = word.substr(2, word.find('=') - 2);
  if (other.empty() || setters.count(other) > 0 || is_key(other)) {
    wrong_usage("--{} needs a value", name);
  }
  wrong_usage("unknown option '--{}'{}", other, suggestion(other));
}

void Options::State::apply(const po::option& option) {
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

void Options::State::add_key_table(po::options_description& all) const {
  if (keys == nullptr) return;
  const Config defaults;
  po::options_description table_of_keys("Config keys (these win over the config file)", 100, 60);
  for (const Key& key : heed::config_keys()) {
    const std::string value = key.get(defaults);
    const std::string shown = value.empty() ? "" : " (default: " + value + ")";
    const std::string choices = fmt::format("{}", fmt::join(key.choices, "|"));
    auto* shape = po::value<std::string>()->value_name(choices.empty() ? key.type : choices);
    table_of_keys.add_options()(key.name.c_str(), shape, (key.help + shown).c_str());
  }
  all.add(table_of_keys);
}

void Options::State::print_help() const {
  po::options_description all("", 100, 60);
  all.add(table);
  add_key_table(all);
  std::ostringstream text;
  text << "usage: " << usage << "\n\n" << description << "\n";
  if (!positionals.empty()) text << "\nArguments:\n";
  for (const Positional& positional : positionals) {
    text << "  " << positional.name << "  " << positional.help << "\n";
  }
  text << all;
  Output out("-");
  out.line(text.str());
  out.commit();
}

Options::Options(const std::string& usage, const std::string& description)
    : state_(std::make_unique<State>(usage, description)) {
  state_->table.add_options()("help", po::bool_switch(), "print this help");
  state_->names.push_back("help");
}

Options::~Options() = default;

Options& Options::text(const std::string& name, std::string& value, const std::string& help) {
  state_->add_single(name, "TEXT", help, value,
                     [&value](const std::string& given) { value = given; });
  return *this;
}

Options& Options::list(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) {
  auto* shape = po::value<std::vector<std::string>>()->multitoken()->value_name("TEXT...");
  state_->add(name, shape, help, fmt::format("{}", fmt::join(values, " ")),
              [this, name, &values](const std::vector<std::string>& more) {
                if (!given(name)) values.clear();  // the defaults
                values.insert(values.end(), more.begin(), more.end());
              });
  return *this;
}

Options& Options::integer(const std::string& name, int64_t& value, int64_t least,
                          const std::string& help) {
  state_->add_single(
      name, "N", help, std::to_string(value),
      [name, &value, least](const std::string& text) { value = read_integer(name, text, least); });
  return *this;
}

Options& Options::number(const std::string& name, double& value, const std::string& help) {
  state_->add_single(name, "X", help, format_real(value),
                     [name, &value](const std::string& text) { value = read_number(name, text); });
  return *this;
}

Options& Options::integer(const std::string& name, std::optional<int64_t>& value, int64_t least,
                          const std::string& help, int64_t most) {
  state_->add_single(name, "N", help, "", [name, &value, least, most](const std::string& text) {
    value = read_integer(name, text, least);
    if (*value > most) wrong_usage("--{}: {} is not allowed: it must be <= {}", name, text, most);
  });
  return *this;
}

Options& Options::number(const std::string& name, std::optional<double>& value, double least,
                         const std::string& help, double most) {
  state_->add_single(name, "X", help, "", [name, &value, least, most](const std::string& text) {
    value = read_number(name, text);
    if (*value < least)
      wrong_usage("--{}: {} is not allowed: it must be >= {}", name, text, format_real(least));
    if (*value > most)
      wrong_usage("--{}: {} is not allowed: it must be <= {}", name, text, format_real(most));
  });
  return *this;
}

Options& Options::flag(const std::string& name, bool& value, const std::string& help) {
  state_->flags.insert(name);
  state_->add_single(name, "[true|false]", help, value ? "true" : "",
                     [name, &value](const std::string& text) { value = read_flag(name, text); });
  return *this;
}

Options& Options::choice(const std::string& name, std::string& value,
                         const std::vector<std::string>& allowed, const std::string& help) {
  const std::string placeholder = fmt::format("{}", fmt::join(allowed, "|"));
  state_->add_single(name, placeholder.c_str(), help, value,
                     [name, &value, allowed](const std::string& text) {
                       value = read_choice(name, text, allowed);
                     });
  return *this;
}

Options& Options::positional(const std::string& name, std::string& value, const std::string& help) {
  state_->positionals.push_back({name, help, &value, nullptr});
  return *this;
}

Options& Options::positionals(const std::string& name, std::vector<std::string>& values,
                              const std::string& help) {
  state_->positionals.push_back({name, help, nullptr, &values});
  return *this;
}

Options& Options::required(const std::string& name) {
  state_->required.push_back(name);
  return *this;
}

Options& Options::config_keys(std::vector<std::pair<std::string, std::string>>& given) {
  state_->keys = &given;
  for (const Key& key : heed::config_keys()) {
    if (key.type == "boolean") state_->flags.insert(key.name);
  }
  return *this;
}

bool Options::parse(const Arguments& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  if (std::find(arguments.begin(), end, "--help") != end) {
    state_->print_help();
    return false;
  }
  po::options_description all;
  all.add(state_->table);
  state_->add_key_table(all);
  try {
    const auto words = state_->spell_out_flags(arguments);
    const auto parsed = po::command_line_parser(words).options(all).style(kStyle).run();
    for (const po::option& option : parsed.options) state_->apply(option);
  } catch (const po::unknown_option& error) {
    const std::string shown = error.get_option_name();
    const size_t begin = std::min(shown.size(), shown.find_first_not_of('-'));
    const std::string name = shown.substr(begin, shown.find('=') - begin);
    throw UsageError(fmt::format("unknown option '--{}'{}", name, state_->suggestion(name)));
  } catch (const po::invalid_command_line_syntax& error) {
    throw UsageError(fmt::format("{} needs a value", error.get_option_name()));
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  for (const std::string& name : state_->required) {
    const bool is_option = state_->setters.count(name) > 0;
    if (!given(name)) wrong_usage("{}{} is required", is_option ? "--" : "", name);
  }
  return true;
}

bool Options::given(const std::string& name) const { return state_->given.count(name) > 0; }

}  // namespace heed::cli
