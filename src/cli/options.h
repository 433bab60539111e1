// The options of a verb, declared once: parsing without prefix guessing, --help, and errors with
// the nearest known name. Values are read by config/rules.h, so that messages and number formats
// are those of config keys.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "config/rules.h"
#include "config/schema.h"

namespace heed::cli {

// A file to be read or written, with the option that names it ("--input"), for messages.
struct NamedFile {
  std::string option, path;
};
// Throws UsageError if the output is one of the files that are read, under any name: it would be
// overwritten. "-" and "" are not files.
void check_not_read(const NamedFile& output, const std::vector<NamedFile>& read);

struct OptionParser;

class Options {
 public:
  using Range = schema::Range;

  // usage: "heed score --model M --source F --target F"; description: what the verb does and what
  // it prints. Both are wrapped; line breaks are kept.
  Options(const std::string& usage, const std::string& description);
  ~Options();

  // The variable holds the default, which the help shows; it changes only if the option is given.
  // Names are without dashes.
  Options& text(const std::string& name, std::string& value, const std::string& help);
  Options& list(const std::string& name, std::vector<std::string>& values,
                const std::string& help);  // F...
  Options& integer(const std::string& name, int64_t& value, const Range& range,
                   const std::string& help);
  // Stays empty if it is not given, and has no default to show.
  Options& integer(const std::string& name, std::optional<int64_t>& value, const Range& range,
                   const std::string& help);
  Options& number(const std::string& name, double& value, const Range& range,
                  const std::string& help);
  Options& flag(const std::string& name, bool& value,
                const std::string& help);  // --x, --x true, --x false, --no-x
  Options& choice(const std::string& name, std::string& value,
                  const std::vector<std::string>& allowed, const std::string& help);
  Options& positional(const std::string& name, std::string& value, const std::string& help);
  // The last positional, any number of words.
  Options& positionals(const std::string& name, std::vector<std::string>& values,
                       const std::string& help);
  Options& required(const std::string& name);  // UsageError "--model is required" if it is missing
  // An option for a key of the config's decode section: --max-length for decode.max_length, with
  // the key's type, rule and help. The model's config holds the default, which is for the caller to
  // apply; a given value is checked and appended to `given`.
  Options& decode_key(const std::string& key, KeyValues& given);
  // Also accepts --section.key VALUE for every config key; given ones are appended in order.
  Options& config_keys(KeyValues& given);

  // False if --help (-h) or --help-keys was given; the help has then been printed to standard
  // output: return 0. Throws UsageError for anything that doesn't fit.
  bool parse(const Arguments& arguments);
  bool given(const std::string& name) const;

 private:
  std::unique_ptr<OptionParser> state_;
};

}  // namespace heed::cli
