// The options of a verb, declared once: parsing (Boost.Program_options, without prefix guessing),
// --help, and errors with the nearest known name.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "config/config.h"

namespace heed::cli {

// A file to be read or written, with the option that names it ("--input"), for messages.
struct NamedFile {
  std::string option, path;
};
// Throws UsageError where the output is one of the files that are read, whatever its name: it would
// replace it. "-" and "" are no files.
void check_not_read(const NamedFile& output, const std::vector<NamedFile>& read);

class Options {
 public:
  // usage: "heed score --model M --source F --target F"; description: what it does and what it
  // prints.
  Options(const std::string& usage, const std::string& description);
  ~Options();

  // The variable holds the default; it is changed only where the option is given. The name is
  // without dashes.
  Options& text(const std::string& name, std::string& value, const std::string& help);
  Options& list(const std::string& name, std::vector<std::string>& values,
                const std::string& help);  // F...
  Options& integer(const std::string& name, int64_t& value, int64_t least, const std::string& help);
  Options& number(const std::string& name, double& value, const std::string& help);
  // An optional one has no default to show in the help: empty where it is not given.
  Options& integer(const std::string& name, std::optional<int64_t>& value, int64_t least,
                   const std::string& help, int64_t most = INT64_MAX);
  Options& number(const std::string& name, std::optional<double>& value, double least,
                  const std::string& help, double most = std::numeric_limits<double>::infinity());
  Options& flag(const std::string& name, bool& value,
                const std::string& help);  // --x, --x true, --x false, --no-x
  Options& choice(const std::string& name, std::string& value,
                  const std::vector<std::string>& allowed, const std::string& help);
  Options& positional(const std::string& name, std::string& value, const std::string& help);
  // The last positional, any number of words.
  Options& positionals(const std::string& name, std::vector<std::string>& values,
                       const std::string& help);
  Options& required(
      const std::string& name);  // UsageError "--model is required" where it is missing
  // Also accepts --section.key VALUE for every config key; given ones are collected in order.
  Options& config_keys(std::vector<std::pair<std::string, std::string>>& given);

  // False when --help was asked for and has been printed to standard output: return 0 then.
  // Throws UsageError for anything that doesn't fit.
  bool parse(const Arguments& arguments);
  bool given(const std::string& name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::cli
