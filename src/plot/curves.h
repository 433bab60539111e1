// Draws learning curves: one panel below the other, with a common x axis.
#pragma once

#include <string>
#include <vector>

#include "plot/axis.h"
#include "plot/canvas.h"
#include "plot/run_curves.h"
#include "plot/typesetter.h"

namespace heed {

// The title of the x axis: "updates" or "minutes of training".
const char* axis_title(RunAxis axis);

// common_axis: the x axis of all panels, which starts at 0. value_axis: the y axis of a panel,
// logarithmic if its values span more than a factor of 20. Every panel needs a curve and every
// curve a point.
Axis common_axis(const std::vector<Panel>& panels);
Axis values_axis(const Panel& panel);

// `x_title`: the unit of the points' x, such as "updates". If all panels have curves of the same
// names (several runs), the names are printed once, below the title. The drawing keeps references
// to panels and typesetter: both must outlive it. Requires at least one panel.
Drawing draw_curves(const std::string& title, const std::string& x_title,
                    const std::vector<Panel>& panels, Typesetter& typesetter);

}  // namespace heed
