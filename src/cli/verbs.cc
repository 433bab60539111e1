// The table of verbs. A new verb is one file with its run_NAME and one row here.
#include "cli/verb.h"

namespace heed::cli {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> table = {
      {"train", "train a model from a config file, or resume a run", run_train},
      {"translate", "translate text with a trained model", run_translate},
      {"serve", "translate over HTTP, for other programs and a page", run_serve},
      {"align", "word alignments of given pairs (forced decoding)", run_align},
      {"explain", "attention compared with gradients and erasure of source words", run_explain},
      {"score", "log-probability of given pairs", run_score},
      {"evaluate", "BLEU, chrF, TER of a translation; alignment error rate of links", run_evaluate},
      {"plot", "attention heatmaps and learning curves", run_plot},
      {"vocab", "train a SentencePiece vocabulary", run_vocab},
      {"shortlist", "a lexicon that makes translation consider fewer words", run_shortlist},
      {"average", "the mean of several checkpoints of a run as a model", run_average},
      {"quantize", "a model with 8-bit weights, smaller and faster", run_quantize},
      {"inspect", "what a checkpoint holds", run_inspect},
      {"config", "the effective config, validated; or the key reference", run_config},
      {"gradcheck", "every op's gradient against central differences", run_gradcheck},
      {"bench", "training speed on this machine", run_bench},
  };
  return table;
}

}  // namespace heed::cli
