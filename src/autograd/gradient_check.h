// Every op's gradient against central differences: df/dx = (f(x + h) - f(x - h)) / 2h + O(h^2).
// In the double build this proves a derivative to about 1e-8; in the float build it only
// catches gross mistakes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "autograd/ops.h"

namespace heed {

using Inputs = std::span<const Var>;
using Parameters = std::span<Parameter* const>;

// An op with the shapes of a small example. `build` computes the op on leaves and parameters
// of these shapes.
struct GradientCase {
  std::string op;
  std::vector<Shape> inputs;
  std::vector<Shape> parameters;
  std::function<Var(Tape&, Inputs, Parameters)> build;
};

// Every op of ops.h, at least once. To add an op, add its row here.
const std::vector<GradientCase>& gradient_cases();

// Random inputs and parameters of a case, and passes over it.
class GradientExample {
 public:
  GradientExample(const GradientCase& c, uint64_t seed);

  // The loss: a random weighting of the op's result (the result itself if it is a scalar).
  double loss();
  // The same with gradients: all elements of all inputs, then of all parameters. `start` is what
  // the gradient buffers hold before (ops add to it).
  std::vector<Real> gradients(Real start);
  std::vector<Real> values();  // of the result
  // The elements that these gradients belong to, in the same order, and how to change one.
  std::vector<Real> elements();
  void set_element(size_t index, Real value);
  std::span<const Tensor> inputs() const { return inputs_; }
  ParameterStore& store() { return store_; }

 private:
  Var run(Tape& tape);
  Var weigh(Tape& tape, Var result);
  // Inputs and parameters.
  std::vector<Tensor> variables();

  const GradientCase& case_;
  Arena memory_, arena_;
  ParameterStore store_;
  std::vector<Tensor> inputs_, input_gradients_;
  std::vector<Real> weights_;
};

struct GradientReport {
  int64_t elements = 0;
  double worst = 0;  // largest |analytic - numeric| / max(1, |analytic|, |numeric|)
};
GradientReport check_gradients(const GradientCase& c, uint64_t seed);

// What `worst` may be in this build.
double gradient_tolerance();

}  // namespace heed
