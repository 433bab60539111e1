// The layout that curves and bars share, in points: the title at the top, below it a column of plot
// areas, and the numbers of their axes on the left.
#pragma once

#include <string>

#include "plot/axis.h"
#include "plot/canvas.h"
#include "plot/typesetter.h"

namespace heed {

inline constexpr double kMargin = 24;
inline constexpr double kTitle = 40;  // height of the picture's title
inline constexpr double kLeft = 90;   // width of the numbers left of a plot area
inline constexpr double kRight = 36;
inline constexpr double kPlotWidth = 640;
inline constexpr double kPlotHeight = 170;
inline constexpr double kWidth = kLeft + kPlotWidth + kRight;

inline const TextStyle kTitleStyle{17, true, kInk, kPlotWidth};
inline const TextStyle kNumberStyle{11, false, kFaint, 0};  // of axes and values

inline void draw_title(cairo_t* cairo, Typesetter& typesetter, const std::string& title) {
  typesetter.set(title, kTitleStyle).draw(cairo, kLeft, kMargin + 15);
}

// The y coordinate of a value in the plot area whose upper edge is at `top`.
inline double height_of(const Axis& values, double value, double top) {
  return top + kPlotHeight * (1 - values.place(value));
}

// Draws, for each tick of the values, a line across the plot area and a number left of it.
inline void draw_grid(cairo_t* cairo, Typesetter& typesetter, const Axis& values, double top) {
  cairo_set_line_width(cairo, 0.6);
  for (const Tick& tick : values.ticks()) {
    const double y = height_of(values, tick.value, top);
    set_color(cairo, kLine);
    cairo_move_to(cairo, kLeft, y);
    cairo_rel_line_to(cairo, kPlotWidth, 0);
    cairo_stroke(cairo);
    const Text number = typesetter.set(tick.label, kNumberStyle);
    number.draw_centred_at(cairo, kLeft - 10 - number.width(), y);
  }
}

}  // namespace heed
