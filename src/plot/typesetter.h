// Text of any script: Pango picks the fonts and shapes the letters (Arabic joins, Devanagari's
// conjuncts).
#pragma once

#include <pango/pangocairo.h>

#include <memory>
#include <string>

#include "plot/color.h"

namespace heed {

struct TextStyle {
  double size = 13;  // pixels
  bool bold = false;
  Color color = kInk;
  double most_width = 0;  // a longer text is cut in its middle with "..."; 0: no limit
};

struct GObjectUnref {
  void operator()(void* object) const { g_object_unref(object); }
};

// A line of text, shaped and measured. Its letters stand on y = 0 and begin at x = 0.
class Text {
 public:
  double width() const { return width_; }
  double height() const { return height_; }
  bool missing_glyphs() const;  // no font has some of its characters

  // The left end of the baseline at (x, y).
  void draw(cairo_t* cairo, double x, double y) const;
  // The middle of a lower-case letter at y, which looks centred in a row whatever the script's
  // height.
  void draw_centred_at(cairo_t* cairo, double x, double y) const;

 private:
  friend class Typesetter;
  std::shared_ptr<PangoLayout> layout_;
  Color color_;
  double size_ = 0;
  double width_ = 0, height_ = 0, ascent_ = 0;
};

// A UTF-8 text for a terminal: control characters (C0, DEL, C1) as \u0085.
std::string escaped_controls(const std::string& text);

class Typesetter {
 public:
  Typesetter();

  // A UTF-8 text, line feeds and other control characters shown as signs, noncharacters (as U+FFFE)
  // as U+FFFD. The first `faint` bytes are drawn in grey.
  Text set(const std::string& text, const TextStyle& style, size_t faint = 0);

  // The first text so far that has a character without a font; "" if none.
  const std::string& first_without_font() const { return first_without_font_; }

 private:
  std::unique_ptr<PangoContext, GObjectUnref> context_;
  std::string first_without_font_;
};

}  // namespace heed
