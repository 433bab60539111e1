// The words of a text, for figures on single words.
#pragma once

#include <string>
#include <vector>

#include "eval/metric_options.h"

namespace heed {

using Words = std::vector<std::string>;  // of one line

// The tokens that BLEU uses: options.tokenize, in lower case if options.lowercase is set. Throws
// UserError for an unknown tokenizer.
Words words_of(const std::string& line, const MetricOptions& options);

// As words_of(), for each line.
std::vector<Words> words_of_lines(const std::vector<std::string>& lines,
                                  const MetricOptions& options);

// "nrefs:1|case:mixed|tok:13a": the settings that the words depend on, with which signatures begin.
std::string words_signature(const MetricOptions& options, size_t references);

}  // namespace heed
