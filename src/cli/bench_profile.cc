#include "cli/bench_profile.h"

#include <fmt/format.h>

#include <algorithm>

namespace heed::cli {
namespace {

struct Limit {
  const char* name;
  double seconds;  // that the work needs at the peak
};

Limit limit_of(const kernels::Work& work, const MachinePeaks& peaks) {
  const Limit limits[] = {{"matrix", work.operations / (1e9 * peaks.gemm)},
                          {"memory", work.bytes / (1e9 * peaks.memory)},
                          {"vector", work.evaluations / (1e9 * peaks.evaluations)}};
  return *std::max_element(std::begin(limits), std::end(limits),
                           [](const Limit& a, const Limit& b) { return a.seconds < b.seconds; });
}

}  // namespace

nlohmann::json profile_figures(const std::map<std::string, OpCost>& costs, int64_t updates,
                               const MachinePeaks& peaks) {
  const double count = static_cast<double>(updates);
  double wall = 0, outside = 0;
  for (const auto& [name, cost] : costs) {
    wall += cost.seconds;
    if (name == "other") outside = cost.seconds;
  }
  auto ops = nlohmann::json::array();
  for (const auto& [name, cost] : costs) {
    const Limit limit = limit_of(cost.work, peaks);
    ops.push_back({{"op", name},
                   {"calls", static_cast<double>(cost.calls) / count},
                   {"seconds", cost.seconds / count},
                   {"share", cost.seconds / wall},
                   {"operations", cost.work.operations / count},
                   {"bytes", cost.work.bytes / count},
                   {"evaluations", cost.work.evaluations / count},
                   {"limit", limit.seconds > 0 ? limit.name : "none"},
                   {"share_of_limit", cost.seconds > 0 ? limit.seconds / cost.seconds : 0}});
  }
  std::sort(ops.begin(), ops.end(), [](const nlohmann::json& a, const nlohmann::json& b) {
    return a["seconds"].get<double>() > b["seconds"].get<double>();
  });
  return {{"seconds_per_update", wall / count},
          {"covered", 1 - outside / wall},
          {"peaks",
           {{"gemm_gflops", peaks.gemm},
            {"memory_gbytes_per_second", peaks.memory},
            {"tanh_giga_per_second", peaks.evaluations}}},
          {"ops", ops}};
}

void print_profile(const nlohmann::json& profile) {
  const auto& peaks = profile.at("peaks");
  fmt::print("\nan update by op, {:.1f} ms, {:.1f} % of it inside ops\n",
             1e3 * profile.at("seconds_per_update").get<double>(),
             100 * profile.at("covered").get<double>());
  fmt::print("peaks: matrix {:.0f} GFLOP/s, memory {:.1f} GB/s, vector {:.2f} G tanh/s\n\n",
             peaks.at("gemm_gflops").get<double>(),
             peaks.at("memory_gbytes_per_second").get<double>(),
             peaks.at("tanh_giga_per_second").get<double>());
  fmt::print("{:<36}{:>7}{:>9}{:>7}{:>9}{:>9}{:>9}  {:<7}{:>9}\n", "op", "calls", "ms", "%",
             "GFLOP", "MB", "M eval", "limit", "of limit");
  for (const auto& op : profile.at("ops")) {
    const auto number = [&](const char* key) { return op.at(key).get<double>(); };
    fmt::print("{:<36}{:>7.0f}{:>9.2f}{:>7.1f}{:>9.2f}{:>9.1f}{:>9.2f}  {:<7}{:>7.0f} %\n",
               op.at("op").get<std::string>(), number("calls"), 1e3 * number("seconds"),
               100 * number("share"), number("operations") / 1e9, number("bytes") / 1e6,
               number("evaluations") / 1e6, op.at("limit").get<std::string>(),
               100 * number("share_of_limit"));
  }
}

}  // namespace heed::cli
