// Reads a run's log.jsonl and makes the curves of `heed plot` from it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heed {

// The x axis of the curves.
enum class RunAxis { updates, minutes };

struct Point {
  double x = 0;  // updates, or minutes of training
  double value = 0;
};

struct Curve {
  enum class Best { none, highest, lowest };  // which point is marked with its value

  std::string name;
  std::vector<Point> points;  // by ascending x
  Best best = Best::none;
  size_t color = 0;  // index in kLineColors

  const Point& best_point() const;  // requires a point
};

// The curves of one measure, drawn in one pair of axes.
struct Panel {
  std::string title;
  bool from_zero = false;     // the y axis starts at 0
  std::vector<Curve> curves;  // each has at least one point
};

// The panels that the log has data for: training and validation loss, BLEU, perplexity, learning
// rate, gradient norm and tokens per second. Each line is an object of "type" "train" or "valid"
// with "update" and some figures. Missing keys and nulls are skipped, and reports that a resumed
// run repeats replace the earlier ones. Throws UserError "FILE:LINE: ..." for invalid JSON or a
// figure that is not a number, and if there is nothing to draw.
std::vector<Panel> read_run_log(const std::string& path, RunAxis axis);

// Compares runs, each given by its name and panels: one panel per measure (of validation, if any
// run has it) with one curve and colour per run.
std::vector<Panel> compare_runs(
    const std::vector<std::pair<std::string, std::vector<Panel>>>& runs);

}  // namespace heed
