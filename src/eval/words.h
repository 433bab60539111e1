// The words of text, as figures on single words count them.
#pragma once

#include <string>
#include <vector>

#include "eval/metric.h"

namespace heed {

using Words = std::vector<std::string>;  // of one line

// As BLEU finds them: options.tokenize, and lower case where options.lowercase asks for it. Throws
// UserError for an unknown tokenizer.
Words words_of(const std::string& line, const MetricOptions& options);

// The same for each line.
std::vector<Words> words_of_lines(const std::vector<std::string>& lines,
                                  const MetricOptions& options);

// "nrefs:1|case:mixed|tok:13a": what the words depend on, as a signature begins.
std::string words_signature(const MetricOptions& options, size_t references);

}  // namespace heed
