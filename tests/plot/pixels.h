// Reads the pixels of a drawing.
#pragma once

#include <array>
#include <memory>

#include "plot/canvas.h"

namespace heed::test {

// A drawing painted at one pixel per unit.
class Pixels {
 public:
  explicit Pixels(const Drawing& drawing)
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(drawing.width),
                                            static_cast<int>(drawing.height)),
                 cairo_surface_destroy) {
    cairo_t* cairo = cairo_create(surface_.get());
    set_color(cairo, kPaper);
    cairo_paint(cairo);
    drawing.paint(cairo);
    cairo_destroy(cairo);
    cairo_surface_flush(surface_.get());
  }

  // Red, green, blue from 0 to 255.
  std::array<int, 3> at(double x, double y) const {
    const unsigned char* pixel =
        cairo_image_surface_get_data(surface_.get()) +
        static_cast<int>(y) * cairo_image_surface_get_stride(surface_.get()) +
        static_cast<int>(x) * 4;
    return {pixel[2], pixel[1], pixel[0]};
  }

  // The number of pixels in the rectangle that are not white.
  int marks(double left, double top, double width, double height) const {
    int count = 0;
    for (int y = 0; y < static_cast<int>(height); ++y) {
      for (int x = 0; x < static_cast<int>(width); ++x) {
        if (at(left + x, top + y) != std::array<int, 3>{255, 255, 255}) ++count;
      }
    }
    return count;
  }

 private:
  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface_;
};

}  // namespace heed::test
