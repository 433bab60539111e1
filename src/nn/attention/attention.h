// Attention scores: how a decoder state (query) meets an encoder state. To add one: a file here
// with a class and a row in attention/table.cc (and the name in config/schema). Mask, softmax and
// context are written once, in attend().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autograd/ops.h"

namespace heed {

struct AttentionSizes {
  int64_t query;      // Hd: size of a decoder state
  int64_t state;      // D: size of an encoder state
  int64_t attention;  // A, for scores with a size of their own
};

class Attention {
 public:
  virtual ~Attention() = default;
  // The side of the keys, once a sentence: states [S, B, D] to keys [S, B, A].
  virtual Var keys(Tape& tape, Var states) const = 0;
  // The weight [Hd, A] that a query is multiplied by, or null where the state itself is the query.
  virtual const Parameter* query_weight() const { return nullptr; }
  virtual AttentionScore score() const = 0;
};

// Null for "none". Throws UserError naming both sizes where the score can't take them.
std::unique_ptr<Attention> make_attention(const std::string& score, ParameterStore& store,
                                          const AttentionSizes& sizes);
std::vector<std::string> attention_names();

std::unique_ptr<Attention> make_dot(ParameterStore& store, const AttentionSizes& sizes);
std::unique_ptr<Attention> make_scaled_dot(ParameterStore& store, const AttentionSizes& sizes);
std::unique_ptr<Attention> make_general(ParameterStore& store, const AttentionSizes& sizes);
std::unique_ptr<Attention> make_additive(ParameterStore& store, const AttentionSizes& sizes);
std::unique_ptr<Attention> make_concat(ParameterStore& store, const AttentionSizes& sizes);

}  // namespace heed
