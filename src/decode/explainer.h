// Explanations of forced pairs: a matrix per method (explanation.h).
#pragma once

#include <cstdint>
#include <vector>

#include "decode/explanation.h"
#include "decode/forced.h"
#include "decode/source_effects.h"
#include "tensor/arena.h"

namespace heed {

struct ExplainOptions {
  PerMethod<bool> methods;
  int64_t steps = 30;           // of integrated gradients
  Erase erase = Erase::remove;  // of erasure
  bool words = false;           // merge pieces to words; erasure then erases whole words
  // Padded tokens per batch, of the longer side.
  int64_t batch_tokens = DecodeConfig().batch_tokens;
};

class Explainer {
 public:
  // Model and vocabularies must outlive it. The model must compute in f32 or bf16.
  Explainer(Model& model, const Vocabulary& source, const Vocabulary& target,
            const ExplainOptions& options);

  // `line` was forced by the same model, with attention if that is among the methods. If pieces are
  // merged to words, columns are summed for all methods. Rows are averaged for attention and summed
  // for the others, since log p of a word is the sum over its pieces.
  Explanation explain(const ForcedLine& line);

 private:
  // Adds the methods that run the model. `rows` and `columns`: where tokens of the result begin.
  void add_effects(const ForcedLine& line, const std::vector<size_t>& rows,
                   const std::vector<size_t>& columns, Explanation& result);

  Model& model_;
  const Vocabulary &source_, &target_;
  ExplainOptions options_;
  std::vector<GradientPoint> integration_;
  Arena arena_;
};

}  // namespace heed
