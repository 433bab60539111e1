// Attention scores: how a decoder state (query) meets an encoder state. Mask, softmax and context
// are written once for all scores (attention.h, the op attend).
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

class Score {
 public:
  virtual ~Score() = default;
  // Once per sentence: encoder states [S, B, D] to keys [S, B, A].
  virtual Var keys(Tape& tape, Var states) const = 0;
  // The weight [D, A] that makes the keys, or null if the states are the keys.
  virtual const Parameter* key_weight() const { return nullptr; }
  // The weight [Hd, A] that a query is multiplied by, or null if the state itself is the query.
  virtual const Parameter* query_weight() const { return nullptr; }
  virtual AttendForm form() const = 0;
};

// The score of a name; null for "none". Throws UserError naming both sizes if it can't take them.
std::unique_ptr<Score> make_score(const std::string& name, ParameterStore& store,
                                  const AttentionSizes& sizes);
std::vector<std::string> score_names();

}  // namespace heed
