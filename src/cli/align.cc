// heed align: how a model aligns given pairs (forced decoding).
#include "base/error.h"
#include "base/log.h"
#include "cli/decoding.h"
#include "decode/forced.h"

namespace heed::cli {
namespace {

struct AlignChoice {
  ModelChoice model;
  AlignmentChoice alignment;
  TextFiles files;
  std::optional<int64_t> batch_tokens;
};

bool parse(const Arguments& arguments, AlignChoice& chosen) {
  Options options(
      "heed align --model M --source F --target F [--attention A.jsonl] [--links L] [--words]",
      "Aligns given pairs: the attention of the model while it is made to produce the target. "
      "Without --attention\nand --links, links go to standard output. A pair with an empty side "
      "gives an empty line of links.");
  chosen.model.declare(options);
  options.text("source", chosen.files.source, "source text, one sentence a line")
      .required("source")
      .text("target", chosen.files.target, "its translation, line by line")
      .required("target");
  chosen.alignment.declare(options);
  options.integer("batch-tokens", chosen.batch_tokens, 1,
                  "padded tokens a batch, of the longer side (default: the model's "
                  "decode.batch_tokens)");
  if (!options.parse(arguments)) return false;
  if (!chosen.alignment.wanted()) chosen.alignment.links = std::string("-");
  chosen.alignment.check("", {{"--source", chosen.files.source},
                              {"--target", chosen.files.target},
                              {"--model", chosen.model.model}});
  return true;
}

}  // namespace

int run_align(const Arguments& arguments) {
  AlignChoice chosen;
  if (!parse(arguments, chosen)) return 0;
  AlignmentFiles files(chosen.alignment);
  const LoadedModel loaded = chosen.model.load();
  files.use(loaded, chosen.model.model);
  const ForcedOptions options{chosen.batch_tokens.value_or(loaded.config.decode.batch_tokens),
                              true};
  const ForcedCounts counts =
      force_lines(*loaded.model, *loaded.source_vocabulary, *loaded.target_vocabulary, chosen.files,
                  options, [&files](const ForcedLine& line) {
                    files.write(aligned_sentence(line.id, line.source.tokens.pieces,
                                                 line.target.tokens.pieces, line.hypothesis));
                  });
  files.commit();
  spdlog::info("{}", counts.summary());
  return 0;
}

}  // namespace heed::cli
