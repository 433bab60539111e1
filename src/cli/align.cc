// heed align: alignments of given pairs by forced decoding with one model, or with two models
// of opposite directions.
#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/log.h"
#include "cli/decoding.h"

namespace heed::cli {
namespace {

struct Named {
  const char* name;
  Symmetry symmetry;
};
constexpr Named kSymmetries[] = {{"grow-diag-final-and", Symmetry::grow_diag_final_and},
                                 {"intersection", Symmetry::intersection},
                                 {"union", Symmetry::unite}};

std::vector<std::string> symmetry_names() {
  std::vector<std::string> names;
  std::transform(std::begin(kSymmetries), std::end(kSymmetries), std::back_inserter(names),
                 [](const Named& named) { return named.name; });
  return names;
}

struct AlignChoice {
  ModelChoice model;
  AlignmentChoice alignment;
  TextFiles files;
  std::string reverse_model, symmetrize = kSymmetries[0].name;
  KeyValues keys;

  Symmetry symmetry() const {
    return std::find_if(std::begin(kSymmetries), std::end(kSymmetries),
                        [this](const Named& named) { return symmetrize == named.name; })
        ->symmetry;
  }
};

bool parse(const Arguments& arguments, AlignChoice& chosen) {
  Options options(
      "heed align --model M --source F --target F [--attention A.jsonl] [--links L] [--words]",
      "Aligns given pairs by the attention of the model while it is forced to produce the target. "
      "Without --attention and --links, links go to standard output. A pair with an empty side "
      "gives an empty line of links.");
  chosen.model.declare(options);
  options.text("source", chosen.files.source, "source text, one sentence per line")
      .required("source")
      .text("target", chosen.files.target, "its translation, line by line")
      .required("target");
  chosen.alignment.declare(options);
  options
      .text("reverse-model", chosen.reverse_model,
            "a model of the opposite direction: links of both directions are merged; attention is "
            "that of --model")
      .choice("symmetrize", chosen.symmetrize, symmetry_names(),
              "how links of both directions are merged")
      .decode_key("decode.batch_tokens", chosen.keys);
  if (!options.parse(arguments)) return false;
  if (options.given("symmetrize") && chosen.reverse_model.empty())
    throw UsageError("--symmetrize needs --reverse-model");
  if (!chosen.alignment.wanted()) chosen.alignment.links = std::string("-");
  chosen.alignment.check("", {{"--source", chosen.files.source},
                              {"--target", chosen.files.target},
                              {"--model", chosen.model.model},
                              {"--reverse-model", chosen.reverse_model}});
  return true;
}

AlignedSentence aligned(const ForcedLine& line) {
  return aligned_sentence(line.id, line.source.tokens.pieces, line.target.tokens.pieces,
                          line.hypothesis);
}

// Links of both directions, between the same tokens.
class BothDirections {
 public:
  BothDirections(const AlignChoice& chosen, const LoadedModel& reverse)
      : chosen_(chosen), reverse_(reverse) {
    require_attention(reverse.model->has_attention(), chosen.reverse_model, "an alignment");
  }

  // `forward` as it is shown.
  Links links(const AlignedSentence& forward, const ForcedLine& reverse) const {
    AlignedSentence backward = aligned(reverse);
    if (chosen_.alignment.words)
      backward = merge_words(backward, *reverse_.source_vocabulary, *reverse_.target_vocabulary);
    check_tokens(forward.source, backward.target, "source", forward.id);
    check_tokens(forward.target, backward.source, "target", forward.id);
    const double threshold = chosen_.alignment.link_threshold;
    return symmetrised(links_of(forward.attention, threshold),
                       transposed(links_of(backward.attention, threshold)), chosen_.symmetry());
  }

 private:
  void check_tokens(const std::vector<std::string>& ours, const std::vector<std::string>& theirs,
                    const char* side, int64_t line) const {
    if (ours.size() == theirs.size()) return;
    fail("line {}: {} cuts the {} into {} tokens, {} into {}{}", line + 1, chosen_.model.model,
         side, ours.size(), chosen_.reverse_model, theirs.size(),
         chosen_.alignment.words ? ": tokenise the text first, so that spaces part its words"
                                 : ": align words with --words");
  }

  const AlignChoice& chosen_;
  const LoadedModel& reverse_;
};

ForcedCounts align(const AlignChoice& chosen, const LoadedModel& loaded, AlignmentFiles& files,
                   const ForcedOptions& options) {
  if (chosen.reverse_model.empty())
    return force_lines(direction_of(loaded), chosen.files, options,
                       [&files](const ForcedLine& line) { files.write(aligned(line)); });
  const LoadedModel reverse = chosen.model.load_one(chosen.reverse_model);
  const BothDirections both(chosen, reverse);
  return force_lines_both(direction_of(loaded), direction_of(reverse), chosen.files, options,
                          [&](const ForcedLine& forward, const ForcedLine& backward) {
                            const AlignedSentence shown = files.shown(aligned(forward));
                            files.write(shown, both.links(shown, backward));
                          });
}

}  // namespace

int run_align(const Arguments& arguments) {
  AlignChoice chosen;
  if (!parse(arguments, chosen)) return 0;
  AlignmentFiles files(chosen.alignment);
  const LoadedModel loaded = chosen.model.load();
  files.use(loaded, loaded.model->has_attention(), chosen.model.model);
  const ForcedOptions options{with_keys(loaded.config.decode, chosen.keys).batch_tokens, true};
  const ForcedCounts counts = align(chosen, loaded, files, options);
  files.commit();
  spdlog::info("{}", counts.summary());
  return 0;
}

}  // namespace heed::cli
