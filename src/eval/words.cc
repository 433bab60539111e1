#include "eval/words.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/parallel.h"
#include "eval/tokenizers.h"
#include "eval/unicode.h"

namespace heed {
namespace {

constexpr int64_t kGrain = 64;  // lines

}  // namespace

Words words_of(const std::string& line, const MetricOptions& options) {
  const auto& tokenizer = metric_tokenizer(options.tokenize);
  std::u32string text = to_code_points(options.lowercase ? lowercase(line) : line);
  while (!text.empty() && is_space(text.back())) text.pop_back();
  return tokenizer.tokenize(to_utf8(text));
}

std::vector<Words> words_of_lines(const std::vector<std::string>& lines,
                                  const MetricOptions& options) {
  std::vector<Words> words(lines.size());
  const auto count = static_cast<int64_t>(lines.size());
  parallel_for(count, kGrain, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
      words[i] = words_of(lines[i], options);
  });
  return words;
}

std::string words_signature(const MetricOptions& options, size_t references) {
  return fmt::format("nrefs:{}|case:{}|tok:{}", references, options.lowercase ? "lc" : "mixed",
                     options.tokenize);
}

}  // namespace heed
