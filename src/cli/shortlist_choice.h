// The options of translate that narrow the vocabulary.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/decoding.h"
#include "text/shortlist.h"

namespace heed::cli {

struct ShortlistChoice {
  std::string path;  // "": the whole vocabulary
  std::optional<int64_t> frequent, candidates;

  void declare(Options& options);
  // After parsing. Throws UsageError; `input`: where the text comes from.
  void check(const Options& options, const std::string& input);
  // Null without --shortlist. Throws UserError as Shortlister does.
  std::unique_ptr<const Shortlister> load(const LoadedModel& loaded) const;
};

}  // namespace heed::cli
