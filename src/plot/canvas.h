// Renders a drawing as PNG, SVG or PDF with the same Cairo calls.
#pragma once

#include <cairo.h>

#include <functional>
#include <string>
#include <vector>

#include "plot/color.h"

namespace heed {

// Something that can be painted: its size and how. One unit is one pixel of a screen at 100 %;
// y points down.
struct Drawing {
  double width = 0;
  double height = 0;
  std::function<void(cairo_t*)> paint;  // on white paper, with the origin at the top left
};

// The names of the formats, in the order in which help lists them: png, svg, pdf.
const std::vector<std::string>& picture_formats();

// Renders one picture. A PNG has 2 pixels per unit, or fewer if it would exceed some 100
// megapixels. Throws UserError if Cairo cannot make it (a drawing with a side of more
// than 32767 pixels).
std::string render_png(const Drawing& drawing);
std::string render_svg(const Drawing& drawing);

// One page per drawing, of the size of the drawing.
std::string render_pdf(const std::vector<Drawing>& pages);

void set_color(cairo_t* cairo, const Color& color);
void fill_rectangle(cairo_t* cairo, double x, double y, double width, double height,
                    const Color& color);

}  // namespace heed
