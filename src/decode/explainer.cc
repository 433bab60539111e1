#include "decode/explainer.h"

#include <numeric>

#include "base/error.h"
#include "decode/alignment.h"

namespace heed {
namespace {

Matrix in_double(const std::vector<std::vector<float>>& attention) {
  Matrix matrix;
  for (const std::vector<float>& row : attention) matrix.emplace_back(row.begin(), row.end());
  return matrix;
}

std::vector<size_t> up_to(size_t count) {
  std::vector<size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), size_t{0});
  return numbers;
}

// The pieces of a forced line, with </s> on both sides.
AlignedSentence pieces_of_line(const ForcedLine& line) {
  AlignedSentence sentence{line.id, line.source.tokens.pieces, line.target.tokens.pieces,
                           line.hypothesis.attention, line.hypothesis.log_probability};
  sentence.source.emplace_back(kEndPiece);
  sentence.target.emplace_back(kEndPiece);
  return sentence;
}

}  // namespace

Explainer::Explainer(Model& model, const Vocabulary& source, const Vocabulary& target,
                     const ExplainOptions& options)
    : model_(model),
      source_(source),
      target_(target),
      options_(options),
      integration_(integration_points(options.steps)) {
  check(model.parameters().precision() != kernels::Precision::int8,
        "[Explainer] gradients need products in f32 or bf16. Received int8");
}

Explanation Explainer::explain(const ForcedLine& line) {
  Explanation result;
  result.id = line.id;
  result.has = options_.methods;
  result.score = line.hypothesis.log_probability;
  if (line.hypothesis.token_log_probabilities.empty()) return result;
  const AlignedSentence pieces = pieces_of_line(line);
  const AlignedSentence shown = options_.words ? merge_words(pieces, source_, target_) : pieces;
  result.source = shown.source;
  result.target = shown.target;
  const auto begins = [&](const std::vector<std::string>& side, const Vocabulary& vocabulary) {
    return options_.words ? word_begins(side, vocabulary) : up_to(side.size());
  };
  if (options_.methods[Method::attention])
    result.matrix[Method::attention] = in_double(shown.attention);
  add_effects(line, begins(pieces.target, target_), begins(pieces.source, source_), result);
  return result;
}

void Explainer::add_effects(const ForcedLine& line, const std::vector<size_t>& rows,
                            const std::vector<size_t>& columns, Explanation& result) {
  const EffectInput input{model_, line.source.tokens.ids, line.target.tokens.ids,
                          options_.batch_tokens, arena_};
  const std::vector<double>& log_p = line.hypothesis.token_log_probabilities;
  PerMethod<Matrix>& matrix = result.matrix;
  const auto gradients = [&](const std::vector<GradientPoint>& points) {
    return sum_blocks(gradient_effects(input, points), rows, columns);
  };
  if (options_.methods[Method::gradient]) matrix[Method::gradient] = gradients({{1, 1}});
  if (options_.methods[Method::integrated]) {
    matrix[Method::integrated] = gradients(integration_);
    const std::vector<double> gains = gains_over_zero(input, log_p);
    result.completeness = {sum_blocks(matrix[Method::integrated], {0}, {0})[0][0],
                           std::accumulate(gains.begin(), gains.end(), 0.0)};
  }
  if (!options_.methods[Method::erasure]) return;
  const Matrix erased = erasure_effects(input, log_p, columns, options_.erase);
  matrix[Method::erasure] = sum_blocks(erased, rows, up_to(columns.size()));
}

}  // namespace heed
