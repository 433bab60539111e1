// Learning curves as a picture: one panel below the other over the same axis.
#pragma once

#include <string>
#include <vector>

#include "plot/canvas.h"
#include "plot/run_log.h"
#include "plot/typesetter.h"

namespace heed {

// `x_title`: what the points' x is, "updates". Curves of several runs have the same names in each
// panel: these then stand once, below the title. Keeps references to panels and typesetter: paint
// the drawing while they live. Requires at least one panel.
Drawing draw_curves(const std::string& title, const std::string& x_title,
                    const std::vector<Panel>& panels, Typesetter& typesetter);

}  // namespace heed
