#include "cli/shortlist_choice.h"

#include "base/error.h"
#include "base/log.h"

namespace heed::cli {

void ShortlistChoice::declare(Options& options) {
  options
      .text("shortlist", path,
            "consider only likely target pieces, by a lexicon of heed shortlist or any file of "
            "lines TARGET SOURCE PROBABILITY, plain or gzip: faster. Scores and n-best lists are "
            "then normalised over these pieces: a little above what heed score gives")
      .integer("shortlist-frequent", frequent, 0,
               "pieces that every sentence may use: those that the lexicon gives most often "
               "(default: 200)")
      .integer("shortlist-candidates", candidates, 1,
               "best candidates taken of each source piece (default: 50)");
}

void ShortlistChoice::check(const Options& options, const std::string& input) {
  if (options.given("shortlist") && path.empty()) throw UsageError("--shortlist: '' is no file");
  if (path.empty() && (frequent || candidates))
    throw UsageError(
        fmt::format("--shortlist-{} needs --shortlist", frequent ? "frequent" : "candidates"));
  if (path == "-" && input == "-")
    throw UsageError("--shortlist and --input are both standard input: give one of them a file");
}

std::unique_ptr<const Shortlister> ShortlistChoice::load(const LoadedModel& loaded) const {
  if (path.empty()) return nullptr;
  ShortlistOptions options;
  options.frequent = frequent.value_or(options.frequent);
  options.candidates = candidates.value_or(options.candidates);
  auto shortlister = std::make_unique<const Shortlister>(path, *loaded.source_vocabulary,
                                                         *loaded.target_vocabulary, options);
  spdlog::info("shortlist {}", shortlister->summary());
  return shortlister;
}

}  // namespace heed::cli
