// Figures by group (of lengths, of frequencies, of places in a sentence) as bars, one chart below
// the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plot/canvas.h"
#include "plot/typesetter.h"

namespace heed {

struct BarGroup {
  std::string label;                          // "11-20"
  int64_t count = 0;                          // what the group's figures are of, below its label
  std::vector<std::optional<double>> values;  // of each series, not below 0; nothing: no bar
};

struct BarChart {
  std::string title;                // "BLEU by length"
  std::string signature;            // all that the figures depend on
  std::string across;               // what the groups are: "tokens of the source"
  std::string counted;              // what is counted: "sentences"
  std::vector<std::string> series;  // names; with several of them they stand beside the title
  std::vector<BarGroup> groups;
};

// Values stand on their bars where there is room for them. Keeps references to charts and
// typesetter: paint the drawing while they live. Requires at least one chart, with at most as many
// series as there are kLineColors.
Drawing draw_bars(const std::string& title, const std::vector<BarChart>& charts,
                  Typesetter& typesetter);

}  // namespace heed
