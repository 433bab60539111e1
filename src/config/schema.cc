// The table of every config key: one entry per key. A new key is a field in config.h and one entry
// here; reading, the command line, help and the reference follow from it.
#include "config/schema.h"

#include "config/key_types.h"

namespace heed {
namespace {

using schema::above;
using schema::at_least;
using schema::between;
using schema::boolean;
using schema::choice;
using schema::from_below;
using schema::inside;
using schema::integer;
using schema::number;
using schema::path;

using Keys = std::vector<Key>;

Keys run_keys() {
  return {
      path(HEED_KEY(run.dir), "Run directory: checkpoints, log and samples of a training run."),
      integer(HEED_KEY(run.seed), at_least(0), "Seed of all random choices."),
      integer(HEED_KEY(run.threads), at_least(0),
              "Threads; 0: OMP_NUM_THREADS or all usable cores."),
      choice(HEED_KEY(run.device), {"auto", "cpu", "gpu"},
             "Where to compute; auto: the GPU if there is one."),
      choice(HEED_KEY(run.precision), {"f32", "bf16"},
             "Number type of matrix products; sums, weights and everything else are f32."),
      boolean(HEED_KEY(run.force_precision),
              "Use bf16 even if the processor has no instructions for it, which is slower."),
  };
}

Keys data_keys() {
  return {
      path(HEED_KEY(data.train.source), "Training text, source side: one sentence per line."),
      path(HEED_KEY(data.train.target), "Training text, target side: line i translates line i."),
      path(HEED_KEY(data.train.tsv), "Instead of two files: SOURCE, a tab, TARGET on each line."),
      path(HEED_KEY(data.valid.source), "Validation text, source side."),
      path(HEED_KEY(data.valid.target), "Validation text, target side."),
      path(HEED_KEY(data.valid.tsv), "Instead of two files: SOURCE, a tab, TARGET on each line."),
      choice(HEED_KEY(data.tokenizer), {"sentencepiece", "word"},
             "sentencepiece: subwords of raw text; word: split at spaces."),
      choice(HEED_KEY(data.vocab_type), {"unigram", "bpe"}, "Kind of SentencePiece model."),
      integer(HEED_KEY(data.vocab_size), between(4, 10'000'000),
              "Pieces per vocabulary; word: at most this many, the rarest words are left out."),
      boolean(HEED_KEY(data.shared_vocab), "One vocabulary for both sides."),
      path(HEED_KEY(data.vocab),
           "A ready SentencePiece model for both sides; empty: train one on the training text."),
      path(HEED_KEY(data.source_vocab), "A ready SentencePiece model of the source side."),
      path(HEED_KEY(data.target_vocab), "A ready SentencePiece model of the target side."),
      integer(HEED_KEY(data.max_length), between(1, 1'000'000),
              "Tokens per side, `</s>` not counted; longer pairs are left out of training."),
      boolean(HEED_KEY(data.lowercase), "Lowercase the text, in training and translation alike."),
  };
}

Keys model_keys() {
  return {
      choice(HEED_KEY(model.encoder.kind), {"rnn"}, "Kind of network: rnn is recurrent."),
      choice(HEED_KEY(model.encoder.cell), {"gru", "lstm"}, "Recurrent cell of the encoder."),
      integer(HEED_KEY(model.encoder.layers), between(1, 32), "Layers of the encoder."),
      integer(HEED_KEY(model.encoder.hidden), between(1, 65536),
              "State size of the encoder, per direction."),
      boolean(HEED_KEY(model.encoder.bidirectional), "Read the source in both directions."),
      choice(HEED_KEY(model.decoder.kind), {"rnn"}, "Kind of network: rnn is recurrent."),
      choice(HEED_KEY(model.decoder.style), {"bahdanau", "luong"},
             "bahdanau: attention from the previous state, context into the cell; luong: "
             "attention from the new state, attentional vector."),
      choice(HEED_KEY(model.decoder.cell), {"gru", "lstm"}, "Recurrent cell of the decoder."),
      integer(HEED_KEY(model.decoder.layers), between(1, 32), "Layers of the decoder."),
      integer(HEED_KEY(model.decoder.hidden), between(1, 65536), "State size of the decoder."),
      integer(HEED_KEY(model.decoder.readout), between(0, 65536),
              "Size before the output projection; 0: model.embedding if that is tied to the "
              "output, else model.decoder.hidden."),
      boolean(HEED_KEY(model.decoder.input_feeding),
              "Feed the attentional vector (luong) or the readout (bahdanau) of a step into the "
              "next one."),
      choice(HEED_KEY(model.attention.score),
             {"none", "dot", "scaled_dot", "general", "additive", "concat"},
             "How a decoder state is compared with encoder states; none: a fixed vector instead "
             "of attention."),
      integer(HEED_KEY(model.attention.size), between(1, 65536),
              "Hidden size of the additive and concat scores."),
      integer(HEED_KEY(model.embedding), between(1, 65536), "Size of the word embeddings."),
      choice(HEED_KEY(model.tied_embeddings), {"none", "target", "all"},
             "One matrix for target embedding and output (target), and the source embedding too "
             "(all; needs data.shared_vocab)."),
  };
}

Keys batch_keys() {
  return {
      integer(HEED_KEY(train.batch_tokens), at_least(1),
              "Padded tokens per batch, of the longer side; lower it to save memory."),
      integer(HEED_KEY(train.batch_sentences), at_least(0),
              "Sentences per batch; 0: train.batch_tokens decides."),
      integer(HEED_KEY(train.pool_batches), at_least(1),
              "Number of batches whose pairs are sorted by length together."),
  };
}

Keys optimizer_keys() {
  return {
      choice(HEED_KEY(train.optimizer), {"adam", "sgd", "adadelta"}, "Update rule."),
      number(HEED_KEY(train.learning_rate), above(0), "Learning rate, after warm-up."),
      number(HEED_KEY(train.momentum), from_below(0, 1), "Momentum of sgd."),
      number(HEED_KEY(train.beta1), from_below(0, 1), "Decay of adam's first moment."),
      number(HEED_KEY(train.beta2), from_below(0, 1), "Decay of adam's second moment."),
      number(HEED_KEY(train.epsilon), above(0), "Added to the denominator of adam."),
      number(HEED_KEY(train.rho), from_below(0, 1), "Decay of adadelta's averages."),
      number(HEED_KEY(train.adadelta_epsilon), above(0), "Added under adadelta's square roots."),
      choice(HEED_KEY(train.schedule), {"constant", "inverse_sqrt", "linear", "plateau"},
             "Learning rate after warm-up; linear: falls to 0 at train.epochs or train.updates; "
             "plateau: lowered when validation does not improve."),
      integer(HEED_KEY(train.warmup), at_least(0), "Updates of linear warm-up from 0."),
      number(HEED_KEY(train.decay_factor), inside(0, 1),
             "plateau: factor of the learning rate at each decay."),
      integer(HEED_KEY(train.decay_patience), at_least(0),
              "plateau: validations without improvement before the rate is lowered."),
      number(HEED_KEY(train.min_learning_rate), at_least(0),
             "The learning rate never goes below this after warm-up."),
      number(HEED_KEY(train.clip_norm), at_least(0),
             "Largest global norm of the gradient; 0: no clipping."),
      number(
          HEED_KEY(train.weight_average), from_below(0, 1),
          "Decay of a moving average of the weights over updates, which validation and best.heed "
          "take; 0: the last weights."),
  };
}

Keys regularization_keys() {
  return {
      number(HEED_KEY(train.label_smoothing), from_below(0, 1),
             "Share of the target probability that is spread over the vocabulary."),
      number(HEED_KEY(train.dropout.embedding), from_below(0, 1), "Dropout on embeddings."),
      number(HEED_KEY(train.dropout.states), from_below(0, 1), "Dropout on encoder states."),
      number(HEED_KEY(train.dropout.output), from_below(0, 1),
             "Dropout before the output projection."),
      number(
          HEED_KEY(train.dropout.word), from_below(0, 1),
          "Dropout of whole words: the embeddings of this share of them, on both sides, are zero."),
      number(HEED_KEY(train.dropout.recurrent), from_below(0, 1),
             "Variational dropout on recurrent inputs: one mask per sentence."),
  };
}

Keys limit_keys() {
  return {
      integer(HEED_KEY(train.epochs), at_least(0), "Passes over the training text; 0: no limit."),
      integer(HEED_KEY(train.updates), at_least(0), "Updates; 0: no limit."),
      integer(HEED_KEY(train.minutes), at_least(0),
              "Minutes from the start of the command to the last update, over all starts; 0: no "
              "limit."),
      integer(HEED_KEY(train.valid_every), at_least(1), "Updates between validations."),
      integer(HEED_KEY(train.report_every), at_least(1), "Updates between reports in the log."),
      integer(HEED_KEY(train.save_every), at_least(0),
              "Updates between saves of last.heed besides those at validations; 0: none."),
      choice(HEED_KEY(train.metric), {"bleu", "cross_entropy", "perplexity"},
             "Validation figure that selects best.heed and decides on decays and stopping."),
      integer(HEED_KEY(train.patience), at_least(0),
              "Validations without improvement before the run stops; 0: no limit."),
      integer(HEED_KEY(train.samples), at_least(0),
              "Validation sentences kept with translation and attention at each validation."),
      integer(HEED_KEY(train.valid_beam), between(1, 1000), "Beam size of validation; 1: greedy."),
  };
}

Keys decode_keys() {
  return {
      integer(HEED_KEY(decode.beam), between(1, 1000), "Beam size; 1: greedy."),
      number(HEED_KEY(decode.length_penalty), between(0, 20),
             "Exponent a of the length penalty, by which log p is divided; 0: none."),
      choice(HEED_KEY(decode.length_penalty_form), {"gnmt", "power"},
             "gnmt: ((5 + length) / 6)^a; power: length^a; `</s>` counts."),
      number(HEED_KEY(decode.word_reward), schema::Range{}, "Added to the score per target token."),
      number(HEED_KEY(decode.coverage_penalty), at_least(0),
             "Weight of the coverage term in the score: the sum over source tokens of log min(1, "
             "total attention) (Wu et al. 2016, eq. 14)."),
      number(HEED_KEY(decode.max_length_ratio), at_least(0),
             "Longest output: this times the source tokens + decode.max_length_extra."),
      integer(HEED_KEY(decode.max_length_extra), between(1, 1'000'000),
              "Target tokens allowed beyond decode.max_length_ratio."),
      integer(HEED_KEY(decode.max_length), at_least(0),
              "Longest output in target tokens for any source; 0: no such limit."),
      number(HEED_KEY(decode.min_length_ratio), at_least(0),
             "Shortest output: this times the source tokens."),
      integer(HEED_KEY(decode.min_length), at_least(0), "Shortest output in target tokens."),
      integer(HEED_KEY(decode.block_ngram), at_least(0),
              "No sequence of N target tokens occurs twice in an output; 0: it may."),
      integer(HEED_KEY(decode.batch_tokens), at_least(1),
              "Padded tokens per batch, of the longer side; lower it to save memory."),
  };
}

}  // namespace

const std::vector<Key>& config_keys() {
  static const Keys keys = [] {
    Keys all;
    for (const auto& section : {run_keys, data_keys, model_keys, batch_keys, optimizer_keys,
                                regularization_keys, limit_keys, decode_keys}) {
      for (Key& key : section()) all.push_back(std::move(key));
    }
    return all;
  }();
  return keys;
}

}  // namespace heed
