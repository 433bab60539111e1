// The table of `heed bench --profile`: time and work by op, against what the machine can do.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "autograd/profile.h"

namespace heed::cli {

// What limits an op, by the unit that needs the most time for its work at the measured peaks.
struct MachinePeaks {
  double gemm = 0;         // GFLOP/s
  double memory = 0;       // GB/s
  double evaluations = 0;  // 10^9 tanh a second
};

// {"seconds_per_update": wall time, "covered": the share of it inside ops, "peaks": {...}, "ops":
// [{"op", "calls", "seconds", "share", "operations", "bytes", "evaluations", "limit",
// "share_of_limit"}...]}, all for one update, longest first. The limit is "matrix", "memory" or
// "vector"; a share of the memory limit above 1 says that the caches held what the op read.
nlohmann::json profile_figures(const std::map<std::string, OpCost>& costs, int64_t updates,
                               const MachinePeaks& peaks);
void print_profile(const nlohmann::json& profile);

}  // namespace heed::cli
