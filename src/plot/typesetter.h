// Sets text in any script: Pango chooses fonts and shapes the letters (Arabic
// joining, Devanagari conjuncts).
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
  double most_width = 0;  // longer text is shortened in its middle with "..."; 0: no limit
};

struct GObjectUnref {
  void operator()(void* object) const { g_object_unref(object); }
};

// A shaped and measured line of text. Its baseline is y = 0 and it begins at x = 0.
class Text {
 public:
  double width() const { return width_; }
  double height() const { return height_; }
  bool missing_glyphs() const;  // some characters are in no font

  // Draws with the left end of the baseline at (x, y).
  void draw(cairo_t* cairo, double x, double y) const;
  // Draws with the middle of a lower-case letter at y, which looks centred in a row
  // for every script.
  void draw_centred_at(cairo_t* cairo, double x, double y) const;

 private:
  friend class Typesetter;
  std::shared_ptr<PangoLayout> layout_;
  Color color_;
  double size_ = 0;
  double width_ = 0, height_ = 0, ascent_ = 0;
};

// UTF-8 text made safe for a terminal: control characters (C0, DEL, C1) appear as \u0085.
std::string escaped_controls(const std::string& text);

class Typesetter {
 public:
  Typesetter();

  // Sets UTF-8 text. Line feeds and other control characters appear as visible signs, noncharacters
  // (such as U+FFFE) as U+FFFD. The first `faint` bytes are drawn in grey.
  Text set(const std::string& text, const TextStyle& style, size_t faint = 0);

  // The first text so far with a character that no font has; "" if none.
  const std::string& first_without_font() const { return first_without_font_; }

 private:
  std::unique_ptr<PangoContext, GObjectUnref> context_;
  std::string first_without_font_;
};

}  // namespace heed
