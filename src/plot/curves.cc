#include "plot/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "plot/chart_layout.h"

namespace heed {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kPanelTitle = 30;  // height above a panel
constexpr double kPanelBelow = 36;  // height of the numbers of its x axis
constexpr double kLogRatio = 20;    // wider ranges get a logarithmic axis
constexpr double kFewPoints = 60;   // at most this many points get a dot each

const TextStyle kPanelStyle{13, true, kInk, 0};

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

Color line_color(const Curve& curve) { return kLineColors[curve.color % std::size(kLineColors)]; }

// Whether all panels have the same curves, and several of them: a comparison of runs.
bool same_names(const std::vector<Panel>& panels) {
  const auto names = [](const Panel& panel) {
    std::vector<std::string> all;
    for (const Curve& curve : panel.curves) all.push_back(curve.name);
    return all;
  };
  return panels.size() > 1 && panels[0].curves.size() > 1 &&
         std::all_of(panels.begin(), panels.end(),
                     [&](const Panel& panel) { return names(panel) == names(panels[0]); });
}

// Draws the curves' names in their colours, right-aligned on one line, in the share `room` of it.
void draw_names(cairo_t* cairo, Typesetter& typesetter, const std::vector<Curve>& curves, double y,
                double room) {
  constexpr double kSample = 18, kGap = 8, kBetween = 20;
  const double share = room / static_cast<double>(curves.size());
  double right = kLeft + kPlotWidth;
  for (size_t k = curves.size(); k-- > 0;) {
    TextStyle style = kPanelStyle;
    style.most_width = share - kSample - kGap - kBetween;
    style.color = line_color(curves[k]);
    const Text name = typesetter.set(curves[k].name, style);
    name.draw(cairo, right - name.width(), y);
    right -= name.width() + kGap;
    fill_rectangle(cairo, right - kSample, y - 6, kSample, 3, style.color);
    right -= kSample + kBetween;
  }
}

// Paints one panel; the corner of its plot area is at (left, top).
class PanelPainter {
 public:
  PanelPainter(cairo_t* cairo, Typesetter& typesetter, const Panel& panel, const Axis& across,
               double top)
      : cairo_(cairo),
        typesetter_(typesetter),
        panel_(panel),
        across_(across),
        values_(values_axis(panel)),
        top_(top) {}

  void paint(bool with_names) {
    grid();
    const Text title = typesetter_.set(panel_.title, kPanelStyle);
    title.draw(cairo_, kLeft, top_ - 11);
    for (const Curve& curve : panel_.curves) line(curve, line_color(curve));
    for (const Curve& curve : panel_.curves) best(curve, line_color(curve));
    if (with_names)
      draw_names(cairo_, typesetter_, panel_.curves, top_ - 11, kPlotWidth - title.width());
  }

 private:
  double x_of(double x) const { return kLeft + kPlotWidth * across_.place(x); }
  double y_of(double value) const { return height_of(values_, value, top_); }

  void grid() {
    draw_grid(cairo_, typesetter_, values_, top_);
    for (const Tick& tick : across_.ticks()) {
      const Text label = typesetter_.set(tick.label, kNumberStyle);
      label.draw(cairo_, x_of(tick.value) - label.width() / 2, top_ + kPlotHeight + 18);
    }
    set_color(cairo_, kFaint);
    cairo_set_line_width(cairo_, 1);
    cairo_move_to(cairo_, kLeft, top_ + kPlotHeight);
    cairo_rel_line_to(cairo_, kPlotWidth, 0);
    cairo_stroke(cairo_);
  }

  void line(const Curve& curve, const Color& color) {
    set_color(cairo_, color);
    cairo_set_line_width(cairo_, 1.8);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    cairo_new_path(cairo_);
    for (const Point& point : curve.points) {
      cairo_line_to(cairo_, x_of(point.x), y_of(point.value));
    }
    cairo_stroke(cairo_);
    // Dots show how often a figure was measured, and make a single one visible.
    if (curve.best == Curve::Best::none && curve.points.size() > 1) return;
    if (static_cast<double>(curve.points.size()) > kFewPoints) return;
    for (const Point& point : curve.points) dot(point, 2.6);
  }

  void dot(const Point& point, double radius) {
    cairo_new_sub_path(cairo_);
    cairo_arc(cairo_, x_of(point.x), y_of(point.value), radius, 0, 2 * kPi);
    cairo_fill(cairo_);
  }

  void best(const Curve& curve, const Color& color) {
    if (curve.best == Curve::Best::none) return;
    const Point& point = curve.best_point();
    TextStyle style = kNumberStyle;
    style.color = color;
    style.bold = true;
    const Text label = typesetter_.set(fmt::format("best {:.4g}", point.value), style);
    const double x = std::clamp(x_of(point.x) - label.width() / 2, kLeft + 4,
                                kLeft + kPlotWidth - label.width() - 4);
    // The label is on the side without the curve, on a white patch in case another curve is there.
    constexpr double kBelow = 20, kAbove = 10;
    const double place = y_of(point.value);
    const bool below = curve.best == Curve::Best::lowest && place + kBelow < top_ + kPlotHeight - 4;
    const double y = below ? place + kBelow : std::max(place - kAbove, top_ + kAbove);
    fill_rectangle(cairo_, x - 3, y - 11, label.width() + 6, 15, kPaper);
    label.draw(cairo_, x, y);
    set_color(cairo_, color);
    dot(point, 4.2);
  }

  cairo_t* cairo_;
  Typesetter& typesetter_;
  const Panel& panel_;
  const Axis& across_;
  Axis values_;
  double top_;
};

}  // namespace

const char* axis_title(RunAxis axis) {
  return axis == RunAxis::minutes ? "minutes of training" : "updates";
}

Axis common_axis(const std::vector<Panel>& panels) {
  Range range;
  range.add(0);
  for (const Panel& panel : panels) {
    for (const Curve& curve : panel.curves) range.add(curve.points.back().x);
  }
  return Axis(0, range.most, Axis::Ends::exact);
}

Axis values_axis(const Panel& panel) {
  Range range;
  if (panel.from_zero) range.add(0);
  for (const Curve& curve : panel.curves) {
    for (const Point& point : curve.points) range.add(point.value);
  }
  const bool logarithmic = range.least > 0 && range.most / range.least > kLogRatio;
  return Axis(range.least, range.most, Axis::Ends::rounded,
              logarithmic ? Axis::Scale::logarithmic : Axis::Scale::linear);
}

Drawing draw_curves(const std::string& title, const std::string& x_title,
                    const std::vector<Panel>& panels, Typesetter& typesetter) {
  constexpr double kPanel = kPanelTitle + kPlotHeight + kPanelBelow;
  const double height = 2 * kMargin + kTitle + kPanel * static_cast<double>(panels.size()) + 12;
  return {kWidth, height, [title, x_title, &panels, &typesetter, height](cairo_t* cairo) {
            draw_title(cairo, typesetter, title);
            const Axis across = common_axis(panels);
            const bool once = same_names(panels);
            if (once) draw_names(cairo, typesetter, panels[0].curves, kMargin + kTitle, kPlotWidth);
            double top = kMargin + kTitle + kPanelTitle;
            for (const Panel& panel : panels) {
              PanelPainter(cairo, typesetter, panel, across, top)
                  .paint(!once && panel.curves.size() > 1);
              top += kPanel;
            }
            const Text axis = typesetter.set(x_title, kPanelStyle);
            axis.draw(cairo, kLeft + kPlotWidth / 2 - axis.width() / 2, height - kMargin + 4);
          }};
}

}  // namespace heed
