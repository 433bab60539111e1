// How a metric cuts a line into tokens. The tokenizers are those of sacreBLEU, token for token, so
// that figures can be set beside published ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct MetricTokenizer {
  const char* name;     // as in the signature: tok:13a
  const char* summary;  // for help
  bool needs_spaces;    // finds words only where the text has spaces between them
  std::vector<std::string> (*tokenize)(std::string_view line);  // UTF-8, without line feeds
};

// The table: a new tokenizer is a function and one row here.
const std::vector<MetricTokenizer>& metric_tokenizers();

// Throws UserError, naming those that exist, for a name that isn't in the table.
const MetricTokenizer& metric_tokenizer(const std::string& name);

}  // namespace heed
