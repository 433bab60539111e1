// heed bench: how fast a whole training update is, and how much of the machine it uses.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "cli/bench_data.h"
#include "cli/bench_products.h"
#include "cli/bench_profile.h"
#include "cli/options.h"
#include "cli/training_bench.h"
#include "config/schema.h"
#include "tensor/kernels/device.h"
#include "tensor/kernels/machine_peaks.h"

namespace heed::cli {
namespace {

int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<int64_t>(usage.ru_maxrss) * 1024;
}

// What is asked for besides the speed of updates.
struct Details {
  bool profile = false, products = false;
};

// B of the products: the sentences of a batch, or its tokens divided by Multi30k's mean length.
int64_t sentences_a_batch(const TrainConfig& train) {
  constexpr int kMeanTokens = 16;
  return train.batch_sentences > 0 ? train.batch_sentences
                                   : std::max(1, train.batch_tokens / kMeanTokens);
}

nlohmann::json measure(const Config& config, double seconds, Details details) {
  TrainingBench bench(config, bench_data(config));
  bench.run(0.2 * seconds);  // packs, compiles kernels, fills the arena
  // The peak is measured before, between and after, since a shared machine's speed drifts.
  const kernels::Precision precision = bench.precision();
  double peak = kernels::measure_gemm_peak(1, precision);
  TrainingBench::Figures total;
  for (int part = 0; part < 2; ++part) {
    total += bench.run(seconds / 2, details.profile);
    peak = std::max(peak, kernels::measure_gemm_peak(1, precision));
  }
  const double tokens = static_cast<double>(total.tokens);
  nlohmann::json figures = {
      {"target_tokens_per_second", tokens / total.seconds},
      {"flops_per_target_token", total.operations / tokens},
      {"gemm_peak_gflops", peak},
      {"share_of_peak", total.operations / total.seconds / 1e9 / peak},
      {"peak_memory_bytes", peak_memory_bytes()},
      {"threads", threads()},
      {"precision", kernels::precision_name(precision)},
      {"updates", total.updates},
      {"seconds_per_update", total.seconds / static_cast<double>(total.updates)},
      {"gemm_library", kernels::gemm_library()},
      {"data", bench.data()}};
  if (details.profile)
    figures["profile"] =
        profile_figures(total.costs, total.updates,
                        {peak, kernels::measure_memory_peak(), kernels::measure_evaluation_peak()});
  if (details.products)
    figures["products"] = measure_products(weight_shapes(bench.model()),
                                           sentences_a_batch(config.train), precision, seconds);
  return figures;
}

void print(const nlohmann::json& f) {
  const auto number = [&](const char* key) { return f.at(key).get<double>(); };
  fmt::print("target tokens/s      {}\n",
             format_thousands(static_cast<int64_t>(number("target_tokens_per_second"))));
  fmt::print("MFLOP a target token {:.1f}\n", number("flops_per_target_token") / 1e6);
  fmt::print("GEMM peak            {:.0f} GFLOP/s ({}, {}, {} thread{})\n",
             number("gemm_peak_gflops"), f.at("gemm_library").get<std::string>(),
             f.at("precision").get<std::string>(), f.at("threads").get<int>(),
             f.at("threads").get<int>() == 1 ? "" : "s");
  fmt::print("share of the peak    {:.1f} %\n", 100 * number("share_of_peak"));
  fmt::print("peak memory          {:.0f} MB\n", number("peak_memory_bytes") / 1e6);
  fmt::print("an update            {:.1f} ms, {} measured\n", 1e3 * number("seconds_per_update"),
             f.at("updates").get<int64_t>());
  fmt::print("data                 {}\n", f.at("data").get<std::string>());
  if (f.contains("profile")) print_profile(f.at("profile"));
  if (f.contains("products")) print_products(f.at("products"), number("gemm_peak_gflops"));
}

Config make_config(const std::string& path, const KeyValues& given) {
  Config config = path.empty() ? reference_config() : read_config(path);
  // The reference sizes count sentences; train.batch_tokens would have no effect.
  const bool tokens = std::any_of(given.begin(), given.end(), [](const auto& key_and_value) {
    return key_and_value.first == "train.batch_tokens";
  });
  if (path.empty() && tokens) config.train.batch_sentences = 0;
  set_keys(config, given);
  validate_config(config);
  return config;
}

}  // namespace

int run_bench(const Arguments& arguments) {
  std::string path;
  bool json = false;
  Details details;
  double seconds = 10;
  KeyValues given;
  Options options(
      "heed bench [CONFIG.yaml] [--section.key VALUE]... [--seconds S] [--profile] "
      "[--products] [--json]",
      "Measures complete training updates: real target tokens per second, operations per token, "
      "this machine's GEMM peak measured in the same run, and the share of it that is used. "
      "Without a config: the reference sizes (configs/reference.yaml). The text is data.train of "
      "the config or, without it, generated ids with the sentence lengths of Multi30k. Keys that "
      "have no effect on an update, such as those of decode, are accepted and ignored.");
  options.positional("config", path, "model and batch sizes")
      .number("seconds", seconds, schema::at_least(0), "time to measure")
      .flag("profile", details.profile,
            "also time and work of each op of the measured updates: matrix operations, memory "
            "traffic, evaluations of exp, tanh and the like, which of the three limits it on this "
            "machine, and its share of that limit (above 100 %: it read from caches)")
      .flag("products", details.products,
            "also the speed of each weight matrix's products alone, an upper bound for updates")
      .flag("json", json, "print one JSON object")
      .config_keys(given);
  if (!options.parse(arguments)) return 0;
  const Config config = make_config(path, given);
  set_threads(config.run.threads);
  spdlog::info("{}", kernels::describe_device(kernels::choose_device(config.run.device)));
  const nlohmann::json figures = measure(config, seconds, details);
  if (json) {
    fmt::print("{}\n", figures.dump());
  } else {
    print(figures);
  }
  return 0;
}

}  // namespace heed::cli
