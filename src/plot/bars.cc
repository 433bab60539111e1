#include "plot/bars.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.h"
#include "plot/axis.h"
#include "plot/chart_layout.h"

namespace heed {
namespace {

constexpr double kAbove = 54;    // height of a chart's title and signature
constexpr double kBelow = 78;    // height of its group labels, their counts and the axis title
constexpr double kTitleUp = 34;  // distance of the title from the bars' area
constexpr double kSignatureUp = 18;
constexpr double kFilled = 0.76;  // share of a group's width that is covered by bars
constexpr double kWidestBar = 60;
constexpr double kNumberRoom = 1.15;  // a value may be wider than its bar by this factor

const TextStyle kChartStyle{13, true, kInk, 0};
const TextStyle kAxisStyle{12, false, kInk, 0};
const TextStyle kSignatureStyle{10, false, kFaint, kPlotWidth};

double most_value(const BarChart& chart) {
  double most = 0;
  for (const BarGroup& group : chart.groups)
    for (const auto& value : group.values) most = std::max(most, value.value_or(0));
  return most;
}

// Paints one chart; the corner of its plot area is at (kLeft, top).
class BarPainter {
 public:
  BarPainter(cairo_t* cairo, Typesetter& typesetter, const BarChart& chart, double top)
      : cairo_(cairo),
        typesetter_(typesetter),
        chart_(chart),
        values_(0, std::max(most_value(chart), 1e-9), Axis::Ends::rounded),
        top_(top),
        group_width_(kPlotWidth / static_cast<double>(std::max<size_t>(1, chart.groups.size()))) {
    const auto series = static_cast<double>(std::max<size_t>(1, chart.series.size()));
    bar_ = std::min(kWidestBar, kFilled * group_width_ / series);
  }

  void paint() {
    const bool several = chart_.series.size() > 1;
    TextStyle style = kChartStyle;
    style.most_width = several ? kPlotWidth / 2 : kPlotWidth;
    const Text title = typesetter_.set(chart_.title, style);
    title.draw(cairo_, kLeft, top_ - kTitleUp);
    typesetter_.set(chart_.signature, kSignatureStyle).draw(cairo_, kLeft, top_ - kSignatureUp);
    if (several) names(kPlotWidth - title.width());
    draw_grid(cairo_, typesetter_, values_, top_);
    for (size_t g = 0; g < chart_.groups.size(); ++g) group(chart_.groups[g], g);
    const Text across =
        typesetter_.set(fmt::format("{} (in grey: {})", chart_.across, chart_.counted), kAxisStyle);
    across.draw(cairo_, kLeft + (kPlotWidth - across.width()) / 2, top_ + kPlotHeight + 54);
  }

 private:
  double y_of(double value) const { return height_of(values_, value, top_); }

  // Right-aligned beside the title, in the share `room` of the line; the last name is at
  // the right end.
  void names(double room) {
    constexpr double kSample = 12, kGap = 6, kBetween = 18;
    const double share = room / static_cast<double>(chart_.series.size());
    double right = kLeft + kPlotWidth;
    for (size_t s = chart_.series.size(); s-- > 0;) {
      TextStyle style = kAxisStyle;
      style.most_width = share - kSample - kGap - kBetween;
      const Text name = typesetter_.set(chart_.series[s], style);
      name.draw(cairo_, right - name.width(), top_ - kTitleUp);
      right -= name.width() + kGap;
      fill_rectangle(cairo_, right - kSample, top_ - kTitleUp - 10, kSample, kSample,
                     kLineColors[s]);
      right -= kSample + kBetween;
    }
  }

  void group(const BarGroup& group, size_t number) {
    const double middle = kLeft + group_width_ * (static_cast<double>(number) + 0.5);
    centred(group.label, kAxisStyle, middle, top_ + kPlotHeight + 17);
    centred(format_thousands(group.count), kNumberStyle, middle, top_ + kPlotHeight + 33);
    double x = middle - bar_ * static_cast<double>(group.values.size()) / 2;
    for (size_t s = 0; s < group.values.size(); ++s, x += bar_) {
      if (group.values[s]) bar(*group.values[s], x, kLineColors[s]);
    }
  }

  void bar(double value, double x, const Color& color) {
    constexpr double kApart = 1;
    fill_rectangle(cairo_, x + kApart, y_of(value), bar_ - 2 * kApart, y_of(0) - y_of(value),
                   color);
    TextStyle style = kNumberStyle;
    style.color = color;
    const Text number = typesetter_.set(fmt::format("{:.1f}", value), style);
    if (number.width() > kNumberRoom * bar_) return;
    number.draw(cairo_, x + (bar_ - number.width()) / 2, y_of(value) - 3);
  }

  void centred(const std::string& text, TextStyle style, double middle, double y) {
    style.most_width = group_width_;
    const Text label = typesetter_.set(text, style);
    label.draw(cairo_, middle - label.width() / 2, y);
  }

  cairo_t* cairo_;
  Typesetter& typesetter_;
  const BarChart& chart_;
  Axis values_;
  double top_, group_width_, bar_ = 0;
};

}  // namespace

Drawing draw_bars(const std::string& title, const std::vector<BarChart>& charts,
                  Typesetter& typesetter) {
  constexpr double kChart = kAbove + kPlotHeight + kBelow;
  const double height = kMargin + kTitle + kChart * static_cast<double>(charts.size());
  return {kWidth, height, [title, &charts, &typesetter](cairo_t* cairo) {
            draw_title(cairo, typesetter, title);
            double top = kMargin + kTitle + kAbove;
            for (const BarChart& chart : charts) {
              BarPainter(cairo, typesetter, chart, top).paint();
              top += kChart;
            }
          }};
}

}  // namespace heed
