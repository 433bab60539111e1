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
               config.run.seed, 0, 0) {
  model_.initialise(config.run.seed, true);
  model_.parameters().set_precision(
      kernels::choose_precision(config.run.precision, config.run.force_precision));
  updater_.emplace(config_, model_);
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
  const GradientFigures g = updater_->update(batch, ++updates_, config_.train.learning_rate);
  if (profile) add_costs(ops->costs(), figures.costs);
  figures.seconds += std::chrono::duration<double>(Clock::now() - start).count();
  figures.tokens += g.tokens;
  figures.operations += model_.training_flops(batch);
  ++figures.updates;
}

}  // namespace heed::cli
