#include "decode/forced.h"

#include "base/error.h"
#include "tensor/arena.h"
#include "text/batch.h"
#include "text/corpus.h"

namespace heed {
namespace {

// Reads sentence b of a forced batch.
void read_sentence(const Model::Forced& forced, const Batch& batch, int64_t b, bool attention,
                   Hypothesis& hypothesis) {
  const auto at = static_cast<size_t>(b);
  for (int64_t t = 0; t < batch.target_length[at]; ++t) {
    hypothesis.log_probability +=
        static_cast<double>(forced.token_log_probability.data[t * batch.B + b]);
    if (!attention || forced.attention.empty()) continue;
    const Real* row = forced.attention.data + (t * batch.B + b) * batch.S;
    hypothesis.attention.emplace_back(row, row + batch.source_length[at]);
  }
  hypothesis.score = hypothesis.log_probability;
}

void force_window(Model& model, const ForcedOptions& options, std::vector<ForcedLine>& window,
                  const std::function<void(const ForcedLine&)>& sink) {
  std::vector<std::vector<TokenId>> sources, targets;
  for (const ForcedLine& line : window) {
    sources.push_back(line.source.tokens.ids);
    targets.push_back(line.target.tokens.ids);
  }
  std::vector<Hypothesis> hypotheses = force_batchwise(model, sources, targets, options);
  for (size_t i = 0; i < window.size(); ++i) {
    window[i].hypothesis = std::move(hypotheses[i]);
    sink(window[i]);
  }
  window.clear();
}

}  // namespace

std::vector<Hypothesis> force_batchwise(Model& model, std::span<const std::vector<TokenId>> sources,
                                        std::span<const std::vector<TokenId>> targets,
                                        const ForcedOptions& options) {
  check(sources.size() == targets.size(), "[force_batchwise] as many targets as sources. {} vs {}",
        targets.size(), sources.size());
  std::vector<Hypothesis> results(sources.size());
  Corpus corpus;
  std::vector<size_t> result_of;  // which result each pair of the corpus is
  for (size_t i = 0; i < sources.size(); ++i) {
    results[i].ids = targets[i];
    if (sources[i].empty() && targets[i].empty()) continue;
    corpus.add(sources[i], targets[i]);
    result_of.push_back(i);
  }
  BatchOptions batching;
  batching.batch_tokens = options.batch_tokens;
  Arena arena;
  for (const auto& pairs : sorted_batches(corpus, batching)) {
    arena.reset();
    Tape tape(arena, false);
    const Batch batch = make_batch(corpus, pairs);
    const Model::Forced forced = model.force(tape, batch);
    for (int64_t b = 0; b < batch.B; ++b) {
      const size_t pair = static_cast<size_t>(pairs[static_cast<size_t>(b)]);
      read_sentence(forced, batch, b, options.attention, results[result_of[pair]]);
    }
  }
  return results;
}

std::string ForcedCounts::summary() const {
  return fmt::format("{} pairs, {} with an empty side, {} sides truncated", pairs, empty,
                     truncated);
}

ForcedCounts force_lines(Model& model, const Vocabulary& source, const Vocabulary& target,
                         const TextFiles& files, const ForcedOptions& options,
                         const std::function<void(const ForcedLine&)>& sink) {
  ForcedCounts counts;
  CutLines cut;
  LinePairs pairs(files);
  std::vector<ForcedLine> window;
  WindowSize size;
  for (std::string source_line, target_line; pairs.next(source_line, target_line);) {
    ForcedLine line{counts.pairs++,
                    token_line(source, source_line, kMaxSourceTokens),
                    token_line(target, target_line, kMaxTargetTokens),
                    {}};
    cut.note(line.source, files.source, counts.pairs);
    cut.note(line.target, files.target, counts.pairs);
    counts.empty += line.source.empty() || line.target.empty();
    size.add(line.source);
    size.add(line.target);
    window.push_back(std::move(line));
    if (!size.is_full()) continue;
    force_window(model, options, window, sink);
    size = {};
  }
  force_window(model, options, window, sink);
  counts.truncated = cut.count();
  return counts;
}

}  // namespace heed
