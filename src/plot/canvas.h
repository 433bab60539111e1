// From a drawing to the bytes of a picture: PNG, SVG or PDF by the same Cairo calls.
#pragma once

#include <cairo.h>

#include <functional>
#include <string>
#include <vector>

#include "plot/color.h"

namespace heed {

// Something that can be painted: its size and how. Unit: one pixel of a screen at 100 %, y
// downwards.
struct Drawing {
  double width = 0;
  double height = 0;
  std::function<void(cairo_t*)> paint;  // on white paper, with the origin at the top left
};

// The formats' names, in the order in which they are offered: png, svg, pdf.
const std::vector<std::string>& picture_formats();

// One picture. A PNG has 2 pixels a unit, fewer where it would be larger than some 100 megapixels.
// Throws UserError where Cairo can't make it (a drawing of more than 32767 pixels a side).
std::string render_png(const Drawing& drawing);
std::string render_svg(const Drawing& drawing);

// One page a drawing, each of its drawing's size.
std::string render_pdf(const std::vector<Drawing>& pages);

void set_color(cairo_t* cairo, const Color& color);
void fill_rectangle(cairo_t* cairo, double x, double y, double width, double height,
                    const Color& color);

}  // namespace heed
