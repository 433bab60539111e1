// The options of translate and serve that restrict the target vocabulary.
#pragma once

#include <memory>
#include <string>

#include "cli/decoding.h"
#include "text/shortlist.h"

namespace heed::cli {

struct ShortlistChoice {
  std::string path;  // "": the whole vocabulary
  ShortlistOptions pieces;

  void declare(Options& options);
  // After parsing. Throws UsageError; `input` is the file with the text.
  void check(const Options& options, const std::string& input);
  // Null without --shortlist. Throws UserError as Shortlister does.
  std::unique_ptr<const Shortlister> load(const LoadedModel& loaded) const;
};

}  // namespace heed::cli
