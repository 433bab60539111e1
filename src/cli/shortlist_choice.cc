#include "cli/shortlist_choice.h"

#include "base/error.h"
#include "base/log.h"

namespace heed::cli {

void ShortlistChoice::declare(Options& options) {
  options
      .text("shortlist", path,
            "faster: consider only target pieces that this lexicon of heed shortlist suggests; "
            "scores are then slightly above those of heed score")
      .integer("shortlist-frequent", pieces.frequent, schema::at_least(0),
               "frequent pieces allowed in every sentence")
      .integer("shortlist-candidates", pieces.candidates, schema::at_least(1),
               "candidates per source piece");
}

void ShortlistChoice::check(const Options& options, const std::string& input) {
  if (options.given("shortlist") && path.empty()) throw UsageError("--shortlist: '' is no file");
  for (const char* name : {"shortlist-frequent", "shortlist-candidates"})
    if (path.empty() && options.given(name))
      throw UsageError(fmt::format("--{} needs --shortlist", name));
  if (path == "-" && input == "-")
    throw UsageError("--shortlist and --input are both standard input: give one of them a file");
}

std::unique_ptr<const Shortlister> ShortlistChoice::load(const LoadedModel& loaded) const {
  if (path.empty()) return nullptr;
  auto shortlister = std::make_unique<const Shortlister>(path, *loaded.source_vocabulary,
                                                         *loaded.target_vocabulary, pieces);
  spdlog::info("shortlist {}", shortlister->summary());
  return shortlister;
}

}  // namespace heed::cli
