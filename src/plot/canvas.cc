#include "plot/canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.h"

namespace heed {
namespace {

struct Destroy {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using Context = std::unique_ptr<cairo_t, Destroy>;

constexpr double kPngScale = 2.0;
constexpr double kPngMostPixels = 100e6;
constexpr double kPngMostSide = 32767;  // Cairo's limit
constexpr double kPointsPerUnit = 0.75;

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void require(cairo_status_t status, const Drawing& drawing) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  fail("cannot draw a picture of {:.0f} x {:.0f} pixels: {}", drawing.width, drawing.height,
       cairo_status_to_string(status));
}

void paint(cairo_surface_t* surface, const Drawing& drawing, double scale) {
  const Context cairo(cairo_create(surface));
  cairo_scale(cairo.get(), scale, scale);
  set_color(cairo.get(), kPaper);
  cairo_paint(cairo.get());
  drawing.paint(cairo.get());
  require(cairo_status(cairo.get()), drawing);
}

}  // namespace

const std::vector<std::string>& picture_formats() {
  static const std::vector<std::string> names = {"png", "svg", "pdf"};
  return names;
}

std::string render_png(const Drawing& drawing) {
  const double by_area = std::sqrt(kPngMostPixels / (drawing.width * drawing.height));
  const double by_side = kPngMostSide / std::max(drawing.width, drawing.height);
  const double scale = std::min({kPngScale, by_area, by_side});
  const Surface surface(cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, std::max(1, static_cast<int>(drawing.width * scale)),
      std::max(1, static_cast<int>(drawing.height * scale))));
  require(cairo_surface_status(surface.get()), drawing);
  paint(surface.get(), drawing, scale);
  std::string bytes;
  require(cairo_surface_write_to_png_stream(surface.get(), append, &bytes), drawing);
  return bytes;
}

std::string render_svg(const Drawing& drawing) {
  std::string bytes;
  const Surface surface(
      cairo_svg_surface_create_for_stream(append, &bytes, drawing.width, drawing.height));
  cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
  paint(surface.get(), drawing, 1.0);
  cairo_surface_finish(surface.get());
  require(cairo_surface_status(surface.get()), drawing);
  return bytes;
}

std::string render_pdf(const std::vector<Drawing>& pages) {
  std::string bytes;
  const Surface surface(cairo_pdf_surface_create_for_stream(append, &bytes, 1, 1));
  for (const Drawing& page : pages) {
    cairo_pdf_surface_set_size(surface.get(), page.width * kPointsPerUnit,
                               page.height * kPointsPerUnit);
    paint(surface.get(), page, kPointsPerUnit);
    cairo_surface_show_page(surface.get());
    require(cairo_surface_status(surface.get()), page);
  }
  cairo_surface_finish(surface.get());
  return bytes;
}

void set_color(cairo_t* cairo, const Color& color) {
  cairo_set_source_rgb(cairo, color.red, color.green, color.blue);
}

void fill_rectangle(cairo_t* cairo, double x, double y, double width, double height,
                    const Color& color) {
  set_color(cairo, color);
  cairo_rectangle(cairo, x, y, width, height);
  cairo_fill(cairo);
}

}  // namespace heed
