// heed bench: how fast a whole training update is, and how much of the machine it uses.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "cli/bench_data.h"
#include "cli/options.h"
#include "config/schema.h"
#include "nn/model.h"
#include "tensor/kernels/device.h"
#include "tensor/kernels/gemm_peak.h"
#include "train/gradients.h"
#include "train/optimizer.h"

namespace heed::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<int64_t>(usage.ru_maxrss) * 1024;
}

struct Figures {
  double seconds = 0, flops = 0;
  int64_t tokens = 0, updates = 0;
};

// Complete updates, as the trainer makes them: gradients, norm, clipping, optimizer, weights to be
// packed anew.
class TrainingBench {
 public:
  explicit TrainingBench(const Config& config)
      : config_(config),
        model_(config.model, config.data.vocab_size, config.data.vocab_size),
        corpus_(generated_corpus(kPairs, config.data.vocab_size, config.data.vocab_size,
                                 config.run.seed)),
        batches_(epoch_batches(
            corpus_,
            {config.train.batch_tokens, config.train.batch_sentences, config.train.pool_batches},
            config.run.seed, 0)) {
    model_.initialise(config.run.seed, true);
    optimizer_ = make_optimizer(config.train, model_.parameters().size());
  }

  Figures run(double seconds) {
    Figures figures;
    do update(figures);
    while (figures.seconds < seconds);
    return figures;
  }

 private:
  static constexpr int64_t kPairs = 4000;

  void update(Figures& figures) {
    const auto start = Clock::now();
    const auto& pairs = batches_[static_cast<size_t>(updates_++) % batches_.size()];
    const Batch batch = make_batch(corpus_, pairs);
    const GradientFigures g =
        compute_gradients(model_, arena_, batch, forward_options(config_, updates_));
    const double scale = clip_scale(g.norm, config_.train.clip_norm);
    optimizer_->step(model_.parameters(), static_cast<Real>(scale), config_.train.learning_rate);
    model_.parameters().changed();
    figures.seconds += seconds_since(start);
    figures.tokens += g.tokens;
    figures.flops += model_.training_flops(batch);
    ++figures.updates;
  }

  const Config& config_;
  Model model_;
  Corpus corpus_;
  std::vector<std::vector<int64_t>> batches_;
  std::unique_ptr<Optimizer> optimizer_;
  Arena arena_;
  int64_t updates_ = 0;
};

nlohmann::json measure(const Config& config, double seconds) {
  TrainingBench bench(config);
  bench.run(0.2 * seconds);  // packs, compiles kernels, fills the arena
  // The peak is measured before, between and after, since a shared machine's speed drifts.
  double peak = kernels::measure_gemm_peak();
  Figures total;
  for (int part = 0; part < 2; ++part) {
    const Figures f = bench.run(seconds / 2);
    total.seconds += f.seconds;
    total.flops += f.flops;
    total.tokens += f.tokens;
    total.updates += f.updates;
    peak = std::max(peak, kernels::measure_gemm_peak());
  }
  const double tokens = static_cast<double>(total.tokens);
  return {{"target_tokens_per_second", tokens / total.seconds},
          {"flops_per_target_token", total.flops / tokens},
          {"gemm_peak_gflops", peak},
          {"share_of_peak", total.flops / total.seconds / 1e9 / peak},
          {"peak_memory_bytes", peak_memory_bytes()},
          {"threads", threads()},
          {"precision", config.run.precision},
          {"updates", total.updates},
          {"seconds_per_update", total.seconds / static_cast<double>(total.updates)},
          {"gemm_library", kernels::gemm_library()}};
}

void print(const nlohmann::json& f) {
  const auto number = [&](const char* key) { return f.at(key).get<double>(); };
  fmt::print("target tokens/s      {}\n",
             format_thousands(static_cast<int64_t>(number("target_tokens_per_second"))));
  fmt::print("MFLOP a target token {:.1f}\n", number("flops_per_target_token") / 1e6);
  fmt::print("GEMM peak            {:.0f} GFLOP/s ({}, {}, {} threads)\n",
             number("gemm_peak_gflops"), f.at("gemm_library").get<std::string>(),
             f.at("precision").get<std::string>(), f.at("threads").get<int>());
  fmt::print("share of the peak    {:.1f} %\n", 100 * number("share_of_peak"));
  fmt::print("peak memory          {:.0f} MB\n", number("peak_memory_bytes") / 1e6);
  fmt::print("an update            {:.1f} ms, {} measured\n", 1e3 * number("seconds_per_update"),
             f.at("updates").get<int64_t>());
}

}  // namespace

int run_bench(const Arguments& arguments) {
  std::string path;
  bool json = false;
  std::optional<double> seconds;
  std::vector<std::pair<std::string, std::string>> given;
  Options options(
      "heed bench [CONFIG.yaml] [--section.key VALUE]... [--seconds S] [--json]",
      "Measures complete training updates on generated ids with the sentence lengths of Multi30k: "
      "real target "
      "tokens a second, operations a token, this machine's GEMM peak measured in the same run, and "
      "the share "
      "of it that is used. Without a config: the reference sizes (configs/reference.yaml).");
  options.positional("config", path, "model and batch sizes")
      .number("seconds", seconds, 0, "time to measure (default: 10)")
      .flag("json", json, "print one JSON object")
      .config_keys(given);
  if (!options.parse(arguments)) return 0;
  Config config = path.empty() ? reference_config() : read_config(path);
  for (const auto& [key, value] : given) set_key(config, key, value);
  validate_config(config);
  set_threads(config.run.threads);
  spdlog::info("{}, {} threads",
               kernels::describe_device(kernels::choose_device(config.run.device)), threads());
  const nlohmann::json figures = measure(config, seconds.value_or(10));
  if (json) {
    fmt::print("{}\n", figures.dump());
  } else {
    print(figures);
  }
  return 0;
}

}  // namespace heed::cli
