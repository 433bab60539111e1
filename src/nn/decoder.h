// Target words and encoder states to readout vectors, which the output layer multiplies. The kinds
// are rows of nn/table.cc.
//
// Training, scoring and forced decoding run() over a whole given target; search takes one step()
// after the other. Both give the same numbers.
#pragma once

#include <utility>
#include <vector>

#include "autograd/tape.h"
#include "nn/decoder_state.h"
#include "nn/encoder.h"
#include "nn/forward_options.h"

namespace heed {

// What a decoder reads of a source batch, prepared once ("memory" in the field). Only the decoder
// that made it knows what its sequences mean.
struct SourceMemory {
  std::vector<Var> sequences;  // [S, B, n] each
  Ids lengths;                 // [B]
  // Search: rows row_begin[b] to row_begin[b + 1] - 1 of a step are hypotheses of sentence b [B +
  // 1]. Empty: row b is.
  Ids row_begin;
};

// The part of decoder steps that depends only on the preceding target words. The decoder overwrites
// it, so it can be used once.
struct WordInputs {
  explicit WordInputs(std::vector<Var> all) : parts(std::move(all)) {}
  WordInputs(WordInputs&&) = default;
  WordInputs& operator=(WordInputs&&) = default;
  std::vector<Var> parts;  // [T, rows, n] each; only the decoder knows what they mean
};

struct DecoderOutput {
  Var readout;  // [T, rows, R]
  Var weights;  // attention, [T, rows, S]; empty for score none
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual int64_t readout_size() const = 0;  // R
  virtual bool has_attention() const = 0;

  // Of target words [T, rows, E].
  virtual WordInputs of_words(Tape& tape, Var words) const = 0;
  // Elements of all parts of one word's inputs: what a table of them for every word would take.
  virtual int64_t word_input_size() const = 0;

  // The whole target; rows = B.
  virtual DecoderOutput run(Tape& tape, const EncoderOutput& encoded, WordInputs words,
                            const ForwardOptions& options) const = 0;

  // Search: prepare() and start() once per batch, then a step per token. The state after start()
  // has a row per sentence.
  virtual SourceMemory prepare(Tape& tape, const EncoderOutput& encoded) const = 0;
  virtual DecoderState start(Tape& tape, const EncoderOutput& encoded) const = 0;
  // words: of the last token of each row, T = 1. Replaces the state by the next one, whose parts
  // are in the memory of `tape`.
  virtual DecoderOutput step(Tape& tape, const SourceMemory& memory, WordInputs words,
                             DecoderState& state) const = 0;

  // Of the products of a forward pass over sentences of these lengths, without the output layer.
  virtual double multiplications(double source, double target) const = 0;
};

}  // namespace heed
