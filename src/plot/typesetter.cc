#include "plot/typesetter.h"

#include <fmt/format.h>

#include <string_view>

namespace heed {
namespace {

// Pango tries these in order, then any font that has the character.
constexpr char kFamilies[] = "Noto Sans, DejaVu Sans, sans-serif";

// The number of bytes of the UTF-8 character that begins with this one.
size_t length_of(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0xC0) return 1;
  if (byte < 0xE0) return 2;
  return byte < 0xF0 ? 3 : 4;
}

// Calls visit(bytes, code point) for each character of UTF-8 text.
template <typename Visit>
void for_each_character(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::string_view bytes = text.substr(0, length_of(text[0]));
    uint32_t code = static_cast<unsigned char>(bytes[0]);
    if (bytes.size() > 1) code &= 0x7Fu >> bytes.size();
    for (const char c : bytes.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
    visit(bytes, code);
    text.remove_prefix(bytes.size());
  }
}

// Code points that Unicode reserves as noncharacters; Cairo's PDF output rejects them
// as invalid UTF-8.
bool is_noncharacter(uint32_t code) {
  return (code & 0xFFFEu) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
}

// Replaces characters without a glyph by U+FFFD. The pictures of control characters (U+2400 and
// above) are not used, because few fonts have them.
std::string with_visible_signs(const std::string& text) {
  std::string result;
  for_each_character(text, [&result](std::string_view bytes, uint32_t code) {
    const bool signless = code < 0x20 || is_noncharacter(code);
    result += signless ? std::string_view("\xEF\xBF\xBD") : bytes;
  });
  return result;
}

void make_faint(PangoLayout* layout, size_t bytes) {
  const auto channel = [](double value) { return static_cast<guint16>(value * 65535); };
  PangoAttribute* grey =
      pango_attr_foreground_new(channel(kFaint.red), channel(kFaint.green), channel(kFaint.blue));
  grey->start_index = 0;
  grey->end_index = static_cast<guint>(bytes);
  PangoAttrList* list = pango_attr_list_new();
  pango_attr_list_insert(list, grey);
  pango_layout_set_attributes(layout, list);
  pango_attr_list_unref(list);
}

void set_font(PangoLayout* layout, const TextStyle& style) {
  PangoFontDescription* font = pango_font_description_from_string(kFamilies);
  pango_font_description_set_absolute_size(font, style.size * PANGO_SCALE);
  if (style.bold) pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description(layout, font);
  pango_font_description_free(font);
}

double width_of(PangoLayout* layout) {
  PangoRectangle extents;
  pango_layout_get_extents(layout, nullptr, &extents);
  return static_cast<double>(extents.width) / PANGO_SCALE;
}

}  // namespace

std::string escaped_controls(const std::string& text) {
  std::string result;
  for_each_character(text, [&result](std::string_view bytes, uint32_t code) {
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    result += control ? fmt::format("\\u{:04x}", code) : std::string(bytes);
  });
  return result;
}

bool Text::missing_glyphs() const {
  return pango_layout_get_unknown_glyphs_count(layout_.get()) > 0;
}

void Text::draw(cairo_t* cairo, double x, double y) const {
  cairo_save(cairo);
  cairo_set_source_rgb(cairo, color_.red, color_.green, color_.blue);
  // Shortened text is laid out in a box; the space left of its letters is not part of it.
  PangoRectangle extents;
  pango_layout_get_extents(layout_.get(), nullptr, &extents);
  cairo_move_to(cairo, x - static_cast<double>(extents.x) / PANGO_SCALE, y - ascent_);
  pango_cairo_show_layout(cairo, layout_.get());
  cairo_restore(cairo);
}

void Text::draw_centred_at(cairo_t* cairo, double x, double y) const {
  draw(cairo, x, y + 0.34 * size_);
}

Typesetter::Typesetter()
    : context_(pango_font_map_create_context(pango_cairo_font_map_get_default())) {
  // Without hinting, letters keep their positions at any scale and angle and in every format.
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context_.get(), options);
  cairo_font_options_destroy(options);
}

Text Typesetter::set(const std::string& text, const TextStyle& style, size_t faint) {
  Text result;
  result.layout_ = std::shared_ptr<PangoLayout>(pango_layout_new(context_.get()), GObjectUnref());
  result.color_ = style.color;
  result.size_ = style.size;
  PangoLayout* layout = result.layout_.get();
  const std::string visible = with_visible_signs(text);
  pango_layout_set_single_paragraph_mode(layout, TRUE);
  pango_layout_set_text(layout, visible.data(), static_cast<int>(visible.size()));
  set_font(layout, style);
  if (faint > 0) make_faint(layout, faint);
  if (style.most_width > 0 && width_of(layout) > style.most_width) {
    pango_layout_set_width(layout, static_cast<int>(style.most_width * PANGO_SCALE));
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_MIDDLE);
  }
  PangoRectangle extents;
  pango_layout_get_extents(layout, nullptr, &extents);
  result.width_ = static_cast<double>(extents.width) / PANGO_SCALE;
  result.height_ = static_cast<double>(extents.height) / PANGO_SCALE;
  result.ascent_ = static_cast<double>(pango_layout_get_baseline(layout)) / PANGO_SCALE;
  if (first_without_font_.empty() && result.missing_glyphs()) first_without_font_ = text;
  return result;
}

}  // namespace heed
