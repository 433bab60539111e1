// heed gradcheck: every op's gradient against central differences.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "autograd/gradient_check.h"
#include "base/error.h"
#include "cli/options.h"

namespace heed::cli {

int run_gradcheck(const Arguments& arguments) {
  bool json = false;
  int64_t seed = 1;
  Options options("heed gradcheck [--seed N] [--json]",
                  "Checks the gradient of every op against central differences and prints the "
                  "largest error of each, relative to the larger of 1 and the gradient. Fails if "
                  "an error is above this build's tolerance.");
  options.integer("seed", seed, schema::at_least(0), "seed of the random inputs")
      .flag("json", json, "print one JSON object");
  if (!options.parse(arguments)) return 0;

  const double tolerance = gradient_tolerance();
  nlohmann::json report{{"tolerance", tolerance}, {"ops", nlohmann::json::array()}};
  std::string worst_op;
  double worst = 0;
  for (const GradientCase& c : gradient_cases()) {
    const GradientReport r = check_gradients(c, static_cast<uint64_t>(seed));
    if (r.worst >= worst) {
      worst = r.worst;
      worst_op = c.op;
    }
    report["ops"].push_back({{"op", c.op}, {"numbers", r.elements}, {"error", r.worst}});
    if (!json) fmt::print("{:<34} {:>5} numbers  error {:.1e}\n", c.op, r.elements, r.worst);
  }
  if (json) fmt::print("{}\n", report.dump());
  if (worst > tolerance)
    fail("gradcheck: {} has error {:.1e}, above {:.0e}", worst_op, worst, tolerance);
  return 0;
}

}  // namespace heed::cli
