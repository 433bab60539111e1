// Learning curves as a picture: one panel below the other over the same axis.
#pragma once

#include <string>
#include <vector>

#include "plot/axis.h"
#include "plot/canvas.h"
#include "plot/run_log.h"
#include "plot/typesetter.h"

namespace heed {

// What stands below the axis: "updates", "minutes of training".
const char* axis_title(RunAxis axis);

// The axis that all panels share, from 0 on, and that of a panel's values, which is logarithmic
// where they span more than a factor of 20. Each panel has a curve, each curve a point.
Axis common_axis(const std::vector<Panel>& panels);
Axis values_axis(const Panel& panel);

// `x_title`: what the points' x is, "updates". Curves of several runs have the same names in each
// panel: these then stand once, below the title. Keeps references to panels and typesetter: paint
// the drawing while they live. Requires at least one panel.
Drawing draw_curves(const std::string& title, const std::string& x_title,
                    const std::vector<Panel>& panels, Typesetter& typesetter);

}  // namespace heed
