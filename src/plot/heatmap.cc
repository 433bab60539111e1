#include "plot/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/numbers.h"

namespace heed {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kSlant = kPi / 3;  // slant of the column labels: at 60 degrees they do not overlap
constexpr double kMargin = 24;
constexpr double kGap = 8;         // between labels and matrix
constexpr double kFoot = 4;        // a slanted label begins this far left of its column's middle
constexpr double kAxisTitle = 26;  // height of "source" and "target"
constexpr double kMostLabelWidth = 190;
constexpr size_t kWordMark = 3;      // bytes of "▁", SentencePiece's sign for a space
constexpr double kFaintest = 0.002;  // weights below this look like the background
constexpr size_t kTick = 10;         // every tenth line is stronger, to guide the eye
constexpr size_t kLarge = 20;        // in matrices with more cells per side than this

constexpr double kScaleGap = 28;
constexpr double kScaleWidth = 12;
constexpr double kScaleLeast = 112;  // height
constexpr double kScaleMost = 200;
constexpr double kScaleLabels = 52;  // width of its numbers and title

const TextStyle kTitleStyle{17, true, kInk, 0};
const TextStyle kSubtitleStyle{12, false, kFaint, 0};
const TextStyle kAxisStyle{13, true, kInk, 0};
const TextStyle kLabelStyle{13, false, kInk, kMostLabelWidth};
const TextStyle kScaleStyle{11, false, kFaint, 0};

// The mark of a word's beginning and </s> are grey, so that the words are read first.
std::vector<Text> labels_of(const std::vector<std::string>& tokens, Typesetter& typesetter) {
  std::vector<Text> labels;
  for (const auto& token : tokens) {
    size_t faint = token.rfind("▁", 0) == 0 ? kWordMark : 0;
    if (token == "</s>") faint = token.size();
    labels.push_back(typesetter.set(token, kLabelStyle, faint));
  }
  return labels;
}

std::string plural(size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// As "Attention of line 3".
std::string title_of(const AttentionRecord& record) {
  std::string name = record.matrix;
  if (name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return fmt::format("{} of line {}", name, record.id + 1);
}

std::string subtitle_of(const AttentionRecord& record) {
  std::string text = fmt::format("{}, {}", plural(record.source.size(), "source token"),
                                 plural(record.target.size(), "target token"));
  if (record.score) text = fmt::format("score {} · {}", format_fixed(*record.score, 2), text);
  return text;
}

double scale_height(const HeatmapLayout& layout) {
  return std::clamp(layout.grid_height, kScaleLeast, kScaleMost);
}

void draw_cells(cairo_t* cairo, const HeatmapLayout& layout, const AttentionRecord& record) {
  fill_rectangle(cairo, layout.left, layout.top, layout.grid_width, layout.grid_height, shade(0));
  for (size_t i = 0; i < record.weights.size(); ++i) {
    for (size_t j = 0; j < record.weights[i].size(); ++j) {
      const double weight = record.weights[i][j];
      if (weight < kFaintest) continue;
      fill_rectangle(cairo, layout.left + kCell * static_cast<double>(j),
                     layout.top + kCell * static_cast<double>(i), kCell, kCell, shade(weight));
    }
  }
}

// Draws the lines between cells in one direction. In large matrices every tenth line is stronger.
void draw_lines(cairo_t* cairo, const HeatmapLayout& layout, size_t cells, bool upright,
                bool strong) {
  for (size_t k = 1; k < cells; ++k) {
    const bool tick = cells > kLarge && k % kTick == 0;
    if (tick != strong) continue;
    const double at = kCell * static_cast<double>(k);
    if (upright) {
      cairo_move_to(cairo, layout.left + at, layout.top);
      cairo_rel_line_to(cairo, 0, layout.grid_height);
    } else {
      cairo_move_to(cairo, layout.left, layout.top + at);
      cairo_rel_line_to(cairo, layout.grid_width, 0);
    }
  }
}

void draw_grid(cairo_t* cairo, const HeatmapLayout& layout) {
  for (bool strong : {false, true}) {
    draw_lines(cairo, layout, layout.columns.size(), true, strong);
    draw_lines(cairo, layout, layout.rows.size(), false, strong);
    set_color(cairo, strong ? kLine : kPaper);
    cairo_set_line_width(cairo, 1);
    cairo_stroke(cairo);
  }
  set_color(cairo, kLine);
  cairo_rectangle(cairo, layout.left - 0.5, layout.top - 0.5, layout.grid_width + 1,
                  layout.grid_height + 1);
  cairo_stroke(cairo);
}

void draw_labels(cairo_t* cairo, const HeatmapLayout& layout) {
  for (size_t i = 0; i < layout.rows.size(); ++i) {
    const Text& label = layout.rows[i];
    label.draw_centred_at(cairo, layout.left - kGap - label.width(),
                          layout.top + kCell * (static_cast<double>(i) + 0.5));
  }
  for (size_t j = 0; j < layout.columns.size(); ++j) {
    cairo_save(cairo);
    cairo_translate(cairo, layout.left + kCell * (static_cast<double>(j) + 0.5) - kFoot,
                    layout.top - kGap);
    cairo_rotate(cairo, -kSlant);
    layout.columns[j].draw_centred_at(cairo, 0, 0);
    cairo_restore(cairo);
  }
}

// Draws text that reads upwards, its middle at (x, y).
void draw_upwards(cairo_t* cairo, const Text& text, double x, double y) {
  cairo_save(cairo);
  cairo_translate(cairo, x, y);
  cairo_rotate(cairo, -kPi / 2);
  text.draw_centred_at(cairo, -text.width() / 2, 0);
  cairo_restore(cairo);
}

// Draws a strip of all shades with their numbers.
void draw_scale(cairo_t* cairo, const HeatmapLayout& layout, Typesetter& typesetter) {
  constexpr int kSteps = 64;
  const double x = layout.left + layout.grid_width + kScaleGap;
  const double height = scale_height(layout);
  const double step = height / kSteps;
  for (int k = 0; k < kSteps; ++k) {
    // Steps overlap by half to hide the seams of anti-aliasing.
    fill_rectangle(cairo, x, layout.top + step * k, kScaleWidth, k + 1 < kSteps ? step * 1.5 : step,
                   shade(1 - (k + 0.5) / kSteps));
  }
  set_color(cairo, kLine);
  cairo_set_line_width(cairo, 1);
  cairo_rectangle(cairo, x - 0.5, layout.top - 0.5, kScaleWidth + 1, height + 1);
  cairo_stroke(cairo);
  for (const char* number : {"1.0", "0.5", "0.0"}) {
    const double y = layout.top + height * (1 - *parse_real(number));
    typesetter.set(number, kScaleStyle).draw_centred_at(cairo, x + kScaleWidth + 6, y);
  }
  draw_upwards(cairo, typesetter.set(layout.scale_title, kScaleStyle),
               x + kScaleWidth + kScaleLabels - 12, layout.top + height / 2);
}

void draw_titles(cairo_t* cairo, const HeatmapLayout& layout, Typesetter& typesetter) {
  layout.title.draw(cairo, kMargin, kMargin + 15);
  layout.subtitle.draw(cairo, kMargin, kMargin + 35);
  const Text source = typesetter.set("source", kAxisStyle);
  source.draw(cairo, layout.left + layout.grid_width / 2 - source.width() / 2, kMargin + 63);
  draw_upwards(cairo, typesetter.set("target", kAxisStyle), kMargin + 8,
               layout.top + layout.grid_height / 2);
}

}  // namespace

HeatmapLayout lay_out_heatmap(const AttentionRecord& record, Typesetter& typesetter) {
  HeatmapLayout layout;
  layout.title = typesetter.set(title_of(record), kTitleStyle);
  layout.scale_title = record.matrix == "attention" ? "attention weight" : "share of the row";
  layout.subtitle = typesetter.set(subtitle_of(record), kSubtitleStyle);
  layout.columns = labels_of(record.source, typesetter);
  layout.rows = labels_of(record.target, typesetter);
  layout.grid_width = kCell * static_cast<double>(layout.columns.size());
  layout.grid_height = kCell * static_cast<double>(layout.rows.size());

  // height of the slanted column labels, and how far they reach to the right
  double label_height = 0;
  double reach = 0;
  for (size_t j = 0; j < layout.columns.size(); ++j) {
    const Text& label = layout.columns[j];
    label_height = std::max(label_height, label.width() * std::sin(kSlant) + 8);
    reach = std::max(reach, kCell * (static_cast<double>(j) + 0.5) +
                                label.width() * std::cos(kSlant) + label.height());
  }
  double row_width = 0;
  for (const Text& label : layout.rows) row_width = std::max(row_width, label.width());
  // Integer coordinates keep the grid sharp.
  layout.left = std::ceil(kMargin + kAxisTitle + row_width + kGap);
  layout.top = std::ceil(kMargin + 48 + kAxisTitle + label_height + kGap);

  const double right_of_grid =
      std::max(reach, layout.grid_width + kScaleGap + kScaleWidth + kScaleLabels);
  const double titles = std::max(layout.title.width(), layout.subtitle.width());
  layout.width = std::ceil(std::max(layout.left + right_of_grid, kMargin + titles) + kMargin);
  layout.height =
      std::ceil(layout.top + std::max(layout.grid_height, scale_height(layout)) + kMargin);
  return layout;
}

Drawing draw_heatmap(const AttentionRecord& record, Typesetter& typesetter) {
  const auto layout = std::make_shared<HeatmapLayout>(lay_out_heatmap(record, typesetter));
  return {layout->width, layout->height, [layout, &record, &typesetter](cairo_t* cairo) {
            draw_titles(cairo, *layout, typesetter);
            draw_cells(cairo, *layout, record);
            draw_grid(cairo, *layout);
            draw_labels(cairo, *layout);
            draw_scale(cairo, *layout, typesetter);
          }};
}

}  // namespace heed
