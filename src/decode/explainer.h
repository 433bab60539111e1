// Explanations of forced pairs.
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
  bool words = false;           // merge pieces to words; erasure then takes out whole words
  // Padded tokens per batch, of the longer side.
  int64_t batch_tokens = DecodeConfig().batch_tokens;
};

class Explainer {
 public:
  // All but the options must outlive it. The model works in f32 or bf16.
  Explainer(Model& model, const Vocabulary& source, const Vocabulary& target,
            const ExplainOptions& options);

  // A line forced by the same model, with attention where that is among the methods. With words,
  // columns are added up in all methods; rows are averaged for attention and added up for the
  // others, since log p of a word is the sum of those of its pieces.
  Explanation explain(const ForcedLine& line);

 private:
  // The methods that ask the model; `rows` and `columns` are where tokens of the result begin.
  void add_effects(const ForcedLine& line, const std::vector<size_t>& rows,
                   const std::vector<size_t>& columns, Explanation& result);

  Model& model_;
  const Vocabulary &source_, &target_;
  ExplainOptions options_;
  std::vector<GradientPoint> integration_;
  Arena arena_;
};

}  // namespace heed
