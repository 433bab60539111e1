// Bar charts of figures by group (sentence lengths, word frequencies, positions in a sentence), one
// chart below the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plot/canvas.h"
#include "plot/typesetter.h"

namespace heed {

struct BarGroup {
  std::string label;  // "11-20"
  int64_t count = 0;  // number of items in the group, printed below its label
  std::vector<std::optional<double>> values;  // one per series, at least 0; nullopt: no bar
};

struct BarChart {
  std::string title;                // "BLEU by length"
  std::string signature;            // everything that the figures depend on
  std::string across;               // what the groups are ranges of: "tokens of the source"
  std::string counted;              // what is counted: "sentences"
  std::vector<std::string> series;  // their names, printed beside the title if there are several
  std::vector<BarGroup> groups;
};

// Values are printed on the bars if there is room. The drawing keeps references to charts and
// typesetter: both must outlive it. Requires at least one chart, and in each chart at most as many
// series as kLineColors has colours.
Drawing draw_bars(const std::string& title, const std::vector<BarChart>& charts,
                  Typesetter& typesetter);

}  // namespace heed
