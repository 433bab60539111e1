// heed shortlist: a lexicon of subwords, from which heed translate makes its shortlists.
#include "text/shortlist.h"

#include "base/log.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "cli/options.h"
#include "train/checkpoint.h"

namespace heed::cli {
namespace {

struct ShortlistChoice {
  std::string model, output;
  TextFiles files;
  int64_t candidates = ShortlistOptions().candidates, threads = 0;
};

bool parse(const Arguments& arguments, ShortlistChoice& chosen) {
  Options options("heed shortlist --model M --source F --target F --output LEX [--candidates N]",
                  "Learns which target pieces translate which source pieces of a model's "
                  "vocabularies, from parallel text (such as the training text), by IBM Model 1. "
                  "Writes lines TARGET SOURCE PROBABILITY, best first, for heed translate "
                  "--shortlist. Pairs longer than the model's data.max_length are left out.");
  options.text("model", chosen.model, "checkpoint of a trained model (best.heed)")
      .required("model")
      .text("source", chosen.files.source, "source text, one sentence per line, plain or gzip")
      .required("source")
      .text("target", chosen.files.target, "its translation, line by line")
      .required("target")
      .text("output", chosen.output, "where to write; - is standard output")
      .required("output")
      .integer("candidates", chosen.candidates, schema::at_least(1),
               "target pieces kept per source piece")
      .integer("threads", chosen.threads, schema::at_least(0),
               "threads; 0: OMP_NUM_THREADS or all usable cores");
  if (!options.parse(arguments)) return false;
  check_not_read({"--output", chosen.output}, {{"--model", chosen.model},
                                               {"--source", chosen.files.source},
                                               {"--target", chosen.files.target}});
  return true;
}

}  // namespace

int run_shortlist(const Arguments& arguments) {
  ShortlistChoice chosen;
  if (!parse(arguments, chosen)) return 0;
  set_threads(static_cast<int>(std::min<int64_t>(chosen.threads, usable_cores())));
  Output out(chosen.output);  // before the work, to find out now whether it can be written
  const LoadedModel loaded = load_model(chosen.model);
  const Vocabulary &source = *loaded.source_vocabulary, &target = *loaded.target_vocabulary;
  CorpusReport report;
  const Corpus corpus =
      read_corpus(chosen.files, source, target, loaded.config.data.max_length, report);
  spdlog::info("{}", report.summary());
  const auto lexicon = train_lexicon(corpus, source.size(), target.size(), {});
  const int64_t lines = write_lexicon(out, lexicon, source, target, chosen.candidates);
  out.commit();
  spdlog::info("wrote {}: {} candidates", chosen.output, format_thousands(lines));
  return 0;
}

}  // namespace heed::cli
