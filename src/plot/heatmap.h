// Draws attention as a heatmap: one column per source token, one row per target token, and the
// weight as the shade of a cell.
#pragma once

#include <string>
#include <vector>

#include "plot/attention_dump.h"
#include "plot/canvas.h"
#include "plot/typesetter.h"

namespace heed {

// The size of a cell is fixed. The picture grows with the sentence, so 5 x 5 and 80 x 90 tokens
// are equally legible.
inline constexpr double kCell = 24;

struct HeatmapLayout {
  double width = 0, height = 0;  // of the whole picture
  double left = 0, top = 0;      // corner of the matrix
  double grid_width = 0, grid_height = 0;
  Text title, subtitle;
  std::string scale_title;          // the meaning of the shades
  std::vector<Text> columns, rows;  // labels
};

// Requires record.weights to be [target][source].
HeatmapLayout lay_out_heatmap(const AttentionRecord& record, Typesetter& typesetter);

// The drawing keeps references to both arguments: they must outlive it.
Drawing draw_heatmap(const AttentionRecord& record, Typesetter& typesetter);

}  // namespace heed
