#include "cli/options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/numbers.h"
#include "cli/option_parser.h"
#include "config/find_key.h"

namespace heed::cli {
namespace po = boost::program_options;
namespace {

// What a reader of config/rules.h refuses is wrong usage if it comes from an option.
template <typename Read>
auto read_option(Read read) {
  try {
    return read();
  } catch (const UserError& error) {
    throw UsageError(error.what());
  }
}

bool flag_of(const std::string& name, const std::string& text) {
  return read_option([&] { return schema::read_boolean("--" + name, text); });
}

int64_t integer_of(const std::string& name, const std::string& text, const schema::Range& range) {
  return read_option([&] { return schema::read_integer("--" + name, text, range); });
}

// A key's help as an option's: "Beam size; 1: greedy." becomes "beam size; 1: greedy".
std::string help_of(const Key& key) {
  std::string help = key.help;
  if (help.ends_with('.')) help.pop_back();
  help[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(help[0])));
  return help;
}

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

Options::Options(const std::string& usage, const std::string& description)
    : state_(std::make_unique<OptionParser>(usage, description)) {
  state_->names.push_back("help");
  state_->show("-h, --help", "print this help");
}

Options::~Options() = default;

Options& Options::text(const std::string& name, std::string& value, const std::string& help) {
  state_->add_single(name, [&value](const std::string& given) { value = given; });
  state_->show(with_placeholder(name, "TEXT"), help, value);
  return *this;
}

Options& Options::list(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) {
  state_->add(name, po::value<std::vector<std::string>>()->multitoken(),
              [this, name, &values](const std::vector<std::string>& more) {
                if (!given(name)) values.clear();  // the defaults
                values.insert(values.end(), more.begin(), more.end());
              });
  state_->show(with_placeholder(name, "TEXT..."), help, fmt::format("{}", fmt::join(values, " ")));
  return *this;
}

Options& Options::integer(const std::string& name, int64_t& value, const Range& range,
                          const std::string& help) {
  state_->add_single(name, [name, &value, range](const std::string& text) {
    value = integer_of(name, text, range);
  });
  state_->show(with_placeholder(name, "N"), help, std::to_string(value));
  return *this;
}

Options& Options::integer(const std::string& name, std::optional<int64_t>& value,
                          const Range& range, const std::string& help) {
  state_->add_single(name, [name, &value, range](const std::string& text) {
    value = integer_of(name, text, range);
  });
  state_->show(with_placeholder(name, "N"), help);
  return *this;
}

Options& Options::number(const std::string& name, double& value, const Range& range,
                         const std::string& help) {
  state_->add_single(name, [name, &value, range](const std::string& text) {
    value = read_option([&] { return schema::read_number("--" + name, text, range); });
  });
  state_->show(with_placeholder(name, "X"), help, format_real(value));
  return *this;
}

Options& Options::flag(const std::string& name, bool& value, const std::string& help) {
  state_->flags.insert(name);
  state_->add_single(name,
                     [name, &value](const std::string& text) { value = flag_of(name, text); });
  state_->show("--" + name, help, value ? "true" : "");
  return *this;
}

Options& Options::choice(const std::string& name, std::string& value,
                         const std::vector<std::string>& allowed, const std::string& help) {
  state_->add_single(name, [name, &value, allowed](const std::string& text) {
    read_option([&] {
      schema::check_choice("--" + name, text, allowed);
      return true;
    });
    value = text;
  });
  state_->show(with_placeholder(name, fmt::format("{}", fmt::join(allowed, "|"))), help, value);
  return *this;
}

Options& Options::decode_key(const std::string& key_name, KeyValues& given) {
  const Key* key = find_key(key_name);
  const std::string section = "decode.";
  check(key != nullptr && key_name.starts_with(section), "[decode_key] {} is not such a key",
        key_name);
  std::string name = key_name.substr(section.size());
  std::replace(name.begin(), name.end(), '_', '-');
  state_->add_single(name, [name, key, &given](const std::string& text) {
    Config scratch;  // only to check the value
    read_option([&] {
      key->assign(scratch, text, "--" + name);
      return true;
    });
    given.emplace_back(key->name, text);
  });
  state_->decode_rows.push_back({with_placeholder(name, placeholder_of(*key)), help_of(*key)});
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

Options& Options::config_keys(KeyValues& given) {
  state_->keys = &given;
  for (const Key& key : heed::config_keys()) {
    if (key.type == "boolean") state_->flags.insert(key.name);
  }
  state_->names.push_back("help-keys");
  state_->show("--SECTION.KEY VALUE", "sets a config key; --help-keys lists them all");
  return *this;
}

bool Options::parse(const Arguments& arguments) { return state_->parse(arguments); }

bool Options::given(const std::string& name) const { return state_->given.count(name) > 0; }

}  // namespace heed::cli
