// The tokenizers of the metrics. They equal those of sacreBLEU token for token, so that scores can
// be compared with published ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct MetricTokenizer {
  const char* name;     // as in the signature: tok:13a
  const char* summary;  // for help
  bool needs_spaces;    // words are found only in text with spaces between them
  std::vector<std::string> (*tokenize)(std::string_view line);  // UTF-8, without line feeds
};

// All tokenizers. A new one is a function and one row in this table.
const std::vector<MetricTokenizer>& metric_tokenizers();

// Throws UserError, which lists the names, if `name` is not in the table.
const MetricTokenizer& metric_tokenizer(const std::string& name);

}  // namespace heed
