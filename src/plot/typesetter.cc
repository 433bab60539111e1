#include "plot/typesetter.h"

namespace heed {
namespace {

// Pango tries these in turn, and then whatever font has the character.
constexpr char kFamilies[] = "Noto Sans, DejaVu Sans, sans-serif";

// U+2400 and following: visible signs for the control characters.
std::string with_visible_controls(const std::string& text) {
  std::string result;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      result += {'\xE2', '\x90', static_cast<char>(0x80 + byte)};
    } else {
      result += c;
    }
  }
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

bool Text::missing_glyphs() const {
  return pango_layout_get_unknown_glyphs_count(layout_.get()) > 0;
}

void Text::draw(cairo_t* cairo, double x, double y) const {
  cairo_save(cairo);
  cairo_set_source_rgb(cairo, color_.red, color_.green, color_.blue);
  // A cut text is laid out in a box: what lies left of its letters there is no part of it.
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
  // No hinting: letters keep their places at any scale and angle, in every format.
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
  const std::string visible = with_visible_controls(text);
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
