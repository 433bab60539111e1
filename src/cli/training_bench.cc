#include "cli/training_bench.h"

#include <chrono>
#include <utility>

#include "tensor/kernels/device.h"

namespace heed::cli {
namespace {

using Clock = std::chrono::steady_clock;

void add_costs(const std::map<std::string, OpCost>& costs, std::map<std::string, OpCost>& sums) {
  for (const auto& [op, cost] : costs) {
    OpCost& sum = sums[op];
    sum.calls += cost.calls;
    sum.seconds += cost.seconds;
    sum.work += cost.work;
  }
}

}  // namespace

TrainingBench::Figures& TrainingBench::Figures::operator+=(const Figures& other) {
  seconds += other.seconds;
  operations += other.operations;
  tokens += other.tokens;
  updates += other.updates;
  add_costs(other.costs, costs);
  return *this;
}

TrainingBench::TrainingBench(const Config& config, BenchData data)
    : config_(config),
      data_(std::move(data)),
      model_(config.model, data_.source_vocabulary, data_.target_vocabulary,
             kernels::choose_device(config.run.device)),
      batches_(data_.corpus,
               {config.train.batch_tokens, config.train.batch_sentences, config.train.pool_batches},
               config.run.seed, 0, 0),
      optimizer_(nullptr),
      arena_(model_.device()) {
  model_.initialise(config.run.seed, true);
  model_.parameters().set_precision(
      kernels::choose_precision(config.run.precision, config.run.force_precision));
  optimizer_ = make_optimizer(config.train, model_.parameters());
  average_.emplace(config.train.weight_average, model_.parameters());
}

TrainingBench::Figures TrainingBench::run(double seconds, bool profile) {
  Figures figures;
  do update(figures, profile);
  while (figures.seconds < seconds);
  return figures;
}

void TrainingBench::update(Figures& figures, bool profile) {
  const auto start = Clock::now();
  std::optional<Profile> ops;
  if (profile) ops.emplace();
  const Batch batch = [&] {
    const OpScope scope("wait for a batch");
    return batches_.next().batch;
  }();
  const GradientFigures g = learn(batch);
  if (profile) add_costs(ops->costs(), figures.costs);
  figures.seconds += std::chrono::duration<double>(Clock::now() - start).count();
  figures.tokens += g.tokens;
  figures.operations += model_.training_flops(batch);
  ++figures.updates;
}

GradientFigures TrainingBench::learn(const Batch& batch) {
  const GradientFigures g =
      compute_gradients(model_, arena_, batch, forward_options(config_, ++updates_));
  const double scale = clip_scale(g.norm, config_.train.clip_norm);
  optimizer_->step(model_.parameters(), static_cast<Real>(scale), config_.train.learning_rate);
  average_->follow(updates_);
  return g;
}

}  // namespace heed::cli
