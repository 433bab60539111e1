// Reading a run's log.jsonl into the curves that are worth seeing.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heed {

// What the figures of a run are drawn over.
enum class RunAxis { kUpdates, kMinutes };

struct Point {
  double x = 0;  // updates, or minutes of training
  double value = 0;
};

struct Curve {
  enum class Best { kNone, kHighest, kLowest };  // the point that is marked with its value

  std::string name;
  std::vector<Point> points;  // by rising x
  Best best = Best::kNone;
  size_t color = 0;  // index in kLineColors

  const Point& best_point() const;  // requires a point
};

// Curves of one measure over one pair of axes.
struct Panel {
  std::string title;
  bool from_zero = false;     // the axis begins at 0
  std::vector<Curve> curves;  // each has a point
};

// Panels of what the log has: loss in training and validation, BLEU, perplexity, learning rate,
// gradient norm, tokens a second.
// Each line is an object of "type" "train" or "valid" with "update" and some figures; keys that are
// missing or null are passed over, and reports that a resumed run made again replace the earlier
// ones. Throws UserError "FILE:LINE: ..." for what isn't JSON or a figure that is no number, and
// where there is nothing to draw.
std::vector<Panel> read_run_log(const std::string& path, RunAxis axis);

// Runs beside each other, each a name and its panels: panels of what the runs were measured by (in
// validation where any was), a curve and a colour a run.
std::vector<Panel> compare_runs(
    const std::vector<std::pair<std::string, std::vector<Panel>>>& runs);

}  // namespace heed
