#include "autograd/gradient_check.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

constexpr bool kDouble = sizeof(Real) == sizeof(double);
constexpr double kStep = kDouble ? 1e-5 : 1e-2;

void fill_random(const Tensor& t, Random& random) {
  std::vector<Real> values(static_cast<size_t>(t.size()));
  for (Real& x : values) x = static_cast<Real>(0.7 * random.normal());
  upload(values, t);
}

void append(const Tensor& t, std::vector<Real>& all) {
  const std::vector<Real> values = download(t);
  all.insert(all.end(), values.begin(), values.end());
}

}  // namespace

double gradient_tolerance() { return kDouble ? 1e-8 : 2e-2; }

GradientExample::GradientExample(const GradientCase& c, uint64_t seed) : case_(c) {
  Random random(seed, 17);
  for (size_t i = 0; i < c.parameters.size(); ++i)
    store_.add("parameter." + std::to_string(i), c.parameters[i], Init::zero);
  store_.allocate(true);
  for (const Parameter& p : store_.parameters()) fill_random(p.value, random);
  for (const Shape& shape : c.inputs) {
    inputs_.push_back(memory_.tensor(shape));
    input_gradients_.push_back(memory_.zeros(shape));
    fill_random(inputs_.back(), random);
  }
  Tape tape(arena_, false);
  weights_.resize(static_cast<size_t>(run(tape).value().size()));
  for (Real& w : weights_) w = static_cast<Real>(random.normal());
}

Var GradientExample::run(Tape& tape) {
  std::vector<Var> leaves;
  for (size_t i = 0; i < inputs_.size(); ++i)
    leaves.push_back(tape.leaf(inputs_[i], input_gradients_[i]));
  std::vector<Parameter*> parameters;
  for (Parameter& p : store_.parameters()) parameters.push_back(&p);
  return case_.build(tape, leaves, parameters);
}

Var GradientExample::weigh(Tape& tape, Var result) {
  if (result.shape().rank() == 0) return result;
  return weighted_sum(tape, result, upload(tape.arena(), weights_, result.shape()));
}

double GradientExample::loss() {
  arena_.reset();
  Tape tape(arena_, false);
  return static_cast<double>(item(weigh(tape, run(tape)).value()));
}

std::vector<Real> GradientExample::values() {
  arena_.reset();
  Tape tape(arena_, false);
  std::vector<Real> all;
  append(run(tape).value(), all);
  return all;
}

std::vector<Real> GradientExample::gradients(Real start) {
  arena_.reset();
  for (const Tensor& g : input_gradients_) kernels::fill(g, start);
  kernels::fill(store_.gradients(), start);
  Tape tape(arena_, true);
  tape.backward(weigh(tape, run(tape)));
  std::vector<Real> all;
  for (const Tensor& g : input_gradients_) append(g, all);
  for (const Parameter& p : store_.parameters()) append(p.gradient, all);
  return all;
}

std::vector<Tensor> GradientExample::variables() {
  std::vector<Tensor> all = inputs_;
  for (const Parameter& p : store_.parameters()) all.push_back(p.value);
  return all;
}

std::vector<Real> GradientExample::elements() {
  std::vector<Real> all;
  for (const Tensor& t : variables()) append(t, all);
  return all;
}

void GradientExample::set_element(size_t index, Real value) {
  const ParameterStore::Update changes = store_.update();
  auto at = static_cast<int64_t>(index);
  for (const Tensor& t : variables()) {
    if (at < t.size()) return upload({&value, 1}, t.part(at, {1}));
    at -= t.size();
  }
}

GradientReport check_gradients(const GradientCase& c, uint64_t seed) {
  GradientExample example(c, seed);
  const std::vector<Real> analytic = example.gradients(0);
  const std::vector<Real> elements = example.elements();
  GradientReport report;
  for (size_t i = 0; i < elements.size(); ++i) {
    const auto loss_at = [&](double shift) {
      example.set_element(i, static_cast<Real>(static_cast<double>(elements[i]) + shift));
      return example.loss();
    };
    const double up = loss_at(kStep), down = loss_at(-kStep);
    example.set_element(i, elements[i]);
    const double numeric = (up - down) / (2 * kStep), a = static_cast<double>(analytic[i]);
    const double error = std::abs(a - numeric) / std::max({1.0, std::abs(a), std::abs(numeric)});
    report.worst = std::isnan(error) ? INFINITY : std::max(report.worst, error);
    ++report.elements;
  }
  return report;
}

}  // namespace heed
