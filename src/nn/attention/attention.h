// Attention of a recurrent decoder: from a decoder state (query) to a context, by way of a score.
// An Attention is the mechanism with its parameters; an AttentionWalk goes with a decoder through
// its steps, as a CellWalk does (nn/cells/cell.h).
#pragma once

#include <memory>
#include <vector>

#include "autograd/ops.h"
#include "config/config.h"
#include "nn/attention/score.h"
#include "nn/decoder.h"

namespace heed {

// What attention carries per row from step to step, each [rows, n].
using AttentionState = std::vector<Var>;

class AttentionWalk {
 public:
  virtual ~AttentionWalk() = default;
  // Steps go in order, from 0. query [rows, Hd] is step t of the walk's queries. Fills step t of
  // contexts() and weights().
  virtual void step(int64_t t, Var query) = 0;
  virtual Var contexts() const = 0;          // [T, rows, D]
  virtual Var weights() const = 0;           // [T, rows, S]; empty for score none
  virtual AttentionState state() const = 0;  // after the steps so far
};

class Attention {
 public:
  virtual ~Attention() = default;
  virtual bool has_weights() const = 0;  // false: it looks at no single source word
  virtual int64_t context_size() const = 0;

  // Once per batch: what all steps read.
  virtual SourceMemory prepare(Tape& tape, const EncoderOutput& encoded) const = 0;
  virtual AttentionState start(const EncoderOutput& encoded) const = 0;
  // All queries [T, B, Hd] at once, for decoders in which no step needs the context of
  // the one before.
  virtual Attended all(Tape& tape, const SourceMemory& memory, Var queries,
                       const AttentionState& state) const = 0;
  // queries [T, rows, Hd]: the sequence of which the queries of the steps are views; its steps are
  // filled as the walk goes on.
  virtual std::unique_ptr<AttentionWalk> walk(Tape& tape, const SourceMemory& memory, Var queries,
                                              AttentionState state) const = 0;

  // Of the products of a forward pass over sentences of these lengths. Scores and contexts count as
  // products, of each query with the keys (A) and of its weights with the values (D).
  virtual double multiplications(double source, double target) const = 0;
};

// Declares "attention.*". With score none, the context is the encoder's summary at every step (Cho
// et al. 2014). Throws UserError as make_score() does.
std::unique_ptr<Attention> make_attention(const AttentionConfig& config, ParameterStore& store,
                                          int64_t query /*Hd*/, int64_t state /*D*/);

}  // namespace heed
