#include "cli/validation.h"

#include <cmath>

#include "base/files.h"
#include "base/log.h"
#include "decode/alignment.h"
#include "decode/translate.h"
#include "eval/bleu.h"
#include "tensor/transfer.h"
#include "text/batch.h"
#include "text/length_batches.h"

namespace heed::cli {
namespace {

TranslatorOptions translator_options(const Config& config) {
  TranslatorOptions options;
  options.search = search_options(config.decode);
  options.batch_tokens = config.decode.batch_tokens;
  options.search.beam = config.train.valid_beam;
  options.search.attention = config.train.samples > 0;
  return options;
}

}  // namespace

Validation::Validation(const Config& config, const Vocabulary& source, const Vocabulary& target,
                       Model& model)
    : config_(config), source_(source), target_(target), model_(model), arena_(model.device()) {
  make_writable_folder(samples_folder());  // an error here, not after an hour
  CorpusReport report;
  corpus_ = read_corpus(config.data.valid, source, target, kMaxSourceTokens, report);
  spdlog::info("validation: {}", report.summary());
  lines_ = read_parallel_lines(config.data.valid);
}

double Validation::cross_entropy() {
  BatchOptions batching;
  batching.batch_tokens = config_.decode.batch_tokens;
  double sum = 0;
  int64_t tokens = 0;
  for (const auto& pairs : batches_by_length(corpus_.all_lengths(), batching)) {
    arena_.reset();
    Tape tape(arena_, false);
    const Batch batch = make_batch(corpus_.pairs(pairs));
    const LossResult loss = model_.loss(tape, batch, {});
    sum += download(loss.totals)[1];
    tokens += loss.tokens;
  }
  return sum / static_cast<double>(tokens);
}

ValidationFigures Validation::measure(int64_t update) {
  ValidationFigures figures;
  figures.cross_entropy = cross_entropy();
  figures.perplexity = std::exp(figures.cross_entropy);
  std::vector<std::string> hypotheses;
  Samples samples;
  Translator translator(model_, source_, translator_options(config_));
  translator.run(lines_.source, [&](const TranslatedLine& line) {
    const Hypothesis& best = line.translation.best();
    hypotheses.push_back(target_.decode(best.ids));
    if (line.id >= config_.train.samples) return;
    const auto i = static_cast<size_t>(line.id);
    samples.texts += fmt::format("source       {}\nreference    {}\ntranslation  {}\n\n",
                                 lines_.source[i], lines_.target[i], hypotheses.back());
    samples.attention += dump_line(aligned_sentence(line.id, line.source.tokens.pieces,
                                                    pieces_of(target_, best.ids), best)) +
                         '\n';
  });
  figures.bleu = corpus_bleu(hypotheses, {lines_.target}, {}).score;
  write_samples(update, samples, hypotheses);
  return figures;
}

std::string Validation::samples_folder() const { return config_.run.dir + "/samples"; }

void Validation::write_samples(int64_t update, const Samples& samples,
                               const std::vector<std::string>& hypotheses) const {
  const std::string name = fmt::format("{}/update-{:08}", samples_folder(), update);
  write_file(name + ".translation", fmt::format("{}\n", fmt::join(hypotheses, "\n")));
  if (config_.train.samples == 0) return;
  write_file(name + ".txt", samples.texts);
  if (model_.has_attention()) write_file(name + ".jsonl", samples.attention);
}

}  // namespace heed::cli
