#include "cli/training_bench.h"

#include <chrono>
#include <utility>

#include "tensor/kernels/device.h"
#include "train/gradients.h"

namespace heed::cli {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

TrainingBench::Figures& TrainingBench::Figures::operator+=(const Figures& other) {
  seconds += other.seconds;
  operations += other.operations;
  tokens += other.tokens;
  updates += other.updates;
  return *this;
}

TrainingBench::TrainingBench(const Config& config, BenchData data)
    : config_(config),
      data_(std::move(data)),
      model_(config.model, data_.source_vocabulary, data_.target_vocabulary),
      batches_(data_.corpus,
               {config.train.batch_tokens, config.train.batch_sentences, config.train.pool_batches},
               config.run.seed, 0, 0),
      optimizer_(nullptr) {
  model_.initialise(config.run.seed, true);
  model_.parameters().set_precision(
      kernels::choose_precision(config.run.precision, config.run.force_precision));
  optimizer_ = make_optimizer(config.train, model_.parameters().size());
  average_.emplace(config.train.weight_average, model_.parameters());
}

TrainingBench::Figures TrainingBench::run(double seconds) {
  Figures figures;
  do update(figures);
  while (figures.seconds < seconds);
  return figures;
}

void TrainingBench::update(Figures& figures) {
  const auto start = Clock::now();
  const Batch batch = [&] {
    const OpScope scope("wait for a batch");
    return batches_.next().batch;
  }();
  const GradientFigures g =
      compute_gradients(model_, arena_, batch, forward_options(config_, ++updates_));
  const double scale = clip_scale(g.norm, config_.train.clip_norm);
  optimizer_->step(model_.parameters(), static_cast<Real>(scale), config_.train.learning_rate);
  model_.parameters().changed();
  average_->follow(updates_);
  figures.seconds += std::chrono::duration<double>(Clock::now() - start).count();
  figures.tokens += g.tokens;
  figures.operations += model_.training_flops(batch);
  ++figures.updates;
}

}  // namespace heed::cli
