#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "plot/axis.h"
#include "plot/canvas.h"
#include "plot/color.h"
#include "plot/curves.h"
#include "plot/heatmap.h"
#include "plot/pixels.h"
#include "plot/typesetter.h"

namespace heed {
namespace {

using test::Pixels;

AttentionRecord record_of(std::vector<std::string> source, std::vector<std::string> target,
                          std::vector<std::vector<double>> weights) {
  AttentionRecord record;
  record.source = std::move(source);
  record.target = std::move(target);
  record.weights = std::move(weights);
  return record;
}

AttentionRecord record_of_size(size_t rows, size_t columns) {
  return record_of(std::vector<std::string>(columns, "word"), std::vector<std::string>(rows, "mot"),
                   std::vector<std::vector<double>>(
                       rows, std::vector<double>(columns, 1.0 / static_cast<double>(columns))));
}

// Relative luminance (WCAG 2.1): how light a colour appears in grey or to a colour-blind eye.
double luminance(const Color& color) {
  const auto linear = [](double x) {
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

TEST(Color, ShadeFallsSteadilyFromNearWhiteToDark) {
  for (int k = 0; k < 100; ++k) {
    EXPECT_GT(luminance(shade(k / 100.0)), luminance(shade((k + 1) / 100.0)) + 1e-4) << k;
  }
  EXPECT_GT(luminance(shade(0)), 0.9);
  EXPECT_LT(luminance(shade(1)), 0.05);
}

TEST(Color, ShadesOfSmallWeightsAreDistinguishable) {
  // The eye can distinguish adjacent areas with a contrast of about 1.05.
  for (double weight : {0.1, 0.2, 0.3, 0.5, 0.8}) {
    const double ratio =
        (luminance(shade(weight - 0.1)) + 0.05) / (luminance(shade(weight)) + 0.05);
    EXPECT_GT(ratio, 1.1) << weight;
  }
}

TEST(Color, WeightsOutsideTheRangeTakeTheNearerEnd) {
  EXPECT_EQ(shade(-1).blue, shade(0).blue);
  EXPECT_EQ(shade(7).red, shade(1).red);
}

TEST(Heatmap, SourceIsColumnsAndTargetIsRowsShadedByWeight) {
  const auto record =
      record_of({"s0", "s1", "s2"}, {"t0", "t1"}, {{0.0, 1.0, 0.0}, {0.25, 0.25, 0.5}});
  Typesetter typesetter;
  const auto layout = lay_out_heatmap(record, typesetter);
  const Pixels pixels(draw_heatmap(record, typesetter));
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      const Color expected = shade(record.weights[i][j]);
      const auto pixel = pixels.at(layout.left + kCell * (static_cast<double>(j) + 0.5),
                                   layout.top + kCell * (static_cast<double>(i) + 0.5));
      EXPECT_NEAR(pixel[0], 255 * expected.red, 1) << i << " " << j;
      EXPECT_NEAR(pixel[1], 255 * expected.green, 1) << i << " " << j;
      EXPECT_NEAR(pixel[2], 255 * expected.blue, 1) << i << " " << j;
    }
  }
}

TEST(Heatmap, CellsKeepTheirSizeAndThePictureGrows) {
  Typesetter typesetter;
  const auto small = lay_out_heatmap(record_of_size(5, 5), typesetter);
  const auto large = lay_out_heatmap(record_of_size(80, 90), typesetter);
  EXPECT_EQ(small.grid_width, 5 * kCell);
  EXPECT_EQ(large.grid_width, 90 * kCell);
  EXPECT_EQ(large.grid_height, 80 * kCell);
  EXPECT_EQ(large.left, small.left);
  EXPECT_EQ(large.top, small.top);
  EXPECT_GT(large.width, large.left + large.grid_width);
  EXPECT_GT(large.height, large.top + large.grid_height);
}

TEST(Heatmap, RowLabelsOfAnyScriptFitTheirRow) {
  Typesetter typesetter;
  const auto layout =
      lay_out_heatmap(record_of({"Ägyptgj", "क्षत्रिय", "كتاب", "私"}, {"Ägyptgj", "Å", "猫", "g"},
                                std::vector<std::vector<double>>(4, std::vector<double>(4, 0.25))),
                      typesetter);
  for (const Text& label : layout.rows) EXPECT_LE(label.height(), kCell);
}

TEST(Heatmap, LongLabelsAreCutAndStayInsideThePicture) {
  Typesetter typesetter;
  const std::string endless(600, 'w');
  const auto record = record_of({endless}, {endless}, {{1.0}});
  const auto layout = lay_out_heatmap(record, typesetter);
  EXPECT_LT(layout.width, 500);
  EXPECT_LT(layout.height, 500);
  const Pixels pixels(draw_heatmap(record, typesetter));
  EXPECT_EQ(pixels.marks(0, 0, 10, layout.height), 0);
  EXPECT_EQ(pixels.marks(0, 0, layout.width, 10), 0);
  EXPECT_EQ(pixels.marks(layout.width - 10, 0, 10, layout.height), 0);
  EXPECT_EQ(pixels.marks(0, layout.height - 10, layout.width, 10), 0);
}

TEST(Heatmap, BothAxesAndTheScaleAreLabelled) {
  const auto record = record_of({"a", "b"}, {"c", "d"}, {{1, 0}, {0, 1}});
  Typesetter typesetter;
  const auto layout = lay_out_heatmap(record, typesetter);
  const Pixels pixels(draw_heatmap(record, typesetter));
  const double right = layout.left + layout.grid_width;
  EXPECT_GT(pixels.marks(layout.left - 10, 70, layout.grid_width + 20, 20), 50);  // "source"
  EXPECT_GT(pixels.marks(20, layout.top - 10, 20, layout.grid_height + 20), 50);  // "target"
  EXPECT_GT(pixels.marks(right + 20, layout.top, 20, 100), 1000);                 // the scale
  EXPECT_GT(pixels.marks(right + 44, layout.top - 8, 20, 16), 20);                // "1.0"
}

TEST(Typesetter, PlainTextNeedsNoWarning) {
  Typesetter typesetter;
  std::string ascii;
  for (char c = ' '; c <= '~'; ++c) ascii += c;
  typesetter.set(ascii, {});
  typesetter.set("line\nfeed\ttab\x01", {});
  EXPECT_EQ(typesetter.first_without_font(), "");
}

TEST(Typesetter, FirstTextWithoutAFontIsRemembered) {
  Typesetter typesetter;
  const std::string unassigned = "\xF3\xB0\x80\x80";  // U+F0000, private use: no font has it
  typesetter.set("a", {});
  typesetter.set("b" + unassigned, {});
  typesetter.set("c" + unassigned, {});
  EXPECT_EQ(typesetter.first_without_font(), "b" + unassigned);
}

TEST(Typesetter, NoncharactersAreSigns) {
  Typesetter typesetter;
  const auto picture = [&](const std::string& text) {
    const Text set = typesetter.set(text, {});
    return render_png({100, 30, [&set](cairo_t* cairo) { set.draw(cairo, 2, 20); }});
  };
  const std::string sign = picture("\xEF\xBF\xBD");  // U+FFFD
  // U+FFFE, U+FFFF, U+FDD0, U+FDEF, U+1FFFE, U+10FFFF
  const std::vector<std::string> noncharacters = {"\xEF\xBF\xBE",     "\xEF\xBF\xBF",
                                                  "\xEF\xB7\x90",     "\xEF\xB7\xAF",
                                                  "\xF0\x9F\xBF\xBE", "\xF4\x8F\xBF\xBF"};
  for (const std::string& text : noncharacters) {
    EXPECT_EQ(picture(text), sign);
    const auto record = record_of({text, "a"}, {"b" + text}, {{0.5, 0.5}});
    const Drawing drawing = draw_heatmap(record, typesetter);
    EXPECT_EQ(render_png(drawing).substr(1, 3), "PNG");
    EXPECT_NE(render_svg(drawing).find("</svg>"), std::string::npos);
    EXPECT_EQ(render_pdf({drawing}).substr(0, 5), "%PDF-");
  }
  // Their neighbours U+FDCF, U+FDF0 and U+1FFFD, and U+FEFE, are not noncharacters.
  for (const std::string text :
       {"\xEF\xB7\x8F", "\xEF\xB7\xB0", "\xF0\x9F\xBF\xBD", "\xEF\xBB\xBE"})
    EXPECT_NE(picture(text), sign);
}

TEST(Typesetter, ControlCharactersAreEscapedForATerminal) {
  const std::string text("a\0\x1b[1m\x7f \xC2\x85\xC2\x9f \xC2\xA0\xC3\xA4\xE7\x8C\xAB", 20);
  EXPECT_EQ(escaped_controls(text),
            "a\\u0000\\u001b[1m\\u007f \\u0085\\u009f \xC2\xA0\xC3\xA4\xE7\x8C\xAB");
}

TEST(Typesetter, ArabicLettersAreJoined) {
  Typesetter typesetter;
  // With zero-width non-joiners between them the letters take their wider isolated forms.
  const Text joined = typesetter.set("ببب", {});
  const Text apart = typesetter.set("ب\u200Cب\u200Cب", {});
  if (joined.missing_glyphs()) GTEST_SKIP() << "no Arabic font here";
  EXPECT_LT(joined.width(), 0.9 * apart.width());
}

uint32_t big_endian(const std::string& bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

size_t occurrences(const std::string& text, const std::string& of) {
  size_t count = 0;
  for (size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) ++count;
  return count;
}

TEST(Render, PngHasTwoPixelsAUnit) {
  Typesetter typesetter;
  const auto record = record_of_size(3, 4);
  const Drawing drawing = draw_heatmap(record, typesetter);
  const std::string png = render_png(drawing);
  ASSERT_GT(png.size(), 24u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(big_endian(png, 16), 2 * drawing.width);
  EXPECT_EQ(big_endian(png, 20), 2 * drawing.height);
}

TEST(Render, HugePngIsScaledDown) {
  const std::string png = render_png({60000, 100, [](cairo_t*) {}});
  EXPECT_EQ(big_endian(png, 16), 32767u);
}

TEST(Render, SvgIsAWholeDocumentOfTheDrawingsSize) {
  const std::string svg =
      render_svg({120, 80, [](cairo_t* cairo) { fill_rectangle(cairo, 1, 2, 3, 4, kInk); }});
  EXPECT_EQ(occurrences(svg, "<svg "), 1u);
  EXPECT_NE(svg.find("viewBox=\"0 0 120 80\""), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

TEST(Render, PdfHasAPageForEachDrawingInItsSize) {
  Typesetter typesetter;
  const auto a = record_of_size(2, 2);
  const auto b = record_of_size(9, 7);
  const std::string pdf = render_pdf(
      {draw_heatmap(a, typesetter), draw_heatmap(b, typesetter), draw_heatmap(a, typesetter)});
  EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
  EXPECT_EQ(occurrences(pdf, "/Count 3"), 1u);
}

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> result;
  for (const Tick& tick : axis.ticks()) result.push_back(tick.label);
  return result;
}

TEST(Axis, TicksAreRoundNumbers) {
  EXPECT_EQ(
      labels(Axis(0, 12000, Axis::Ends::exact)),
      (std::vector<std::string>{"0", "2,000", "4,000", "6,000", "8,000", "10,000", "12,000"}));
  EXPECT_EQ(labels(Axis(1.52, 7.4, Axis::Ends::rounded)),
            (std::vector<std::string>{"1", "2", "3", "4", "5", "6", "7", "8"}));
  EXPECT_EQ(labels(Axis(0, 0.001, Axis::Ends::rounded)),
            (std::vector<std::string>{"0", "0.0002", "0.0004", "0.0006", "0.0008", "0.001"}));
  EXPECT_EQ(labels(Axis(-0.3, 0.3, Axis::Ends::rounded)),
            (std::vector<std::string>{"-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"}));
}

TEST(Axis, WideRangesAreLogarithmicOnRequest) {
  const Axis axis(5.6, 190, Axis::Ends::rounded, Axis::Scale::logarithmic);
  EXPECT_EQ(labels(axis), (std::vector<std::string>{"5", "10", "20", "50", "100", "200"}));
  EXPECT_NEAR(axis.place(5), 0, 1e-12);
  EXPECT_NEAR(axis.place(200), 1, 1e-12);
  EXPECT_NEAR(axis.place(std::sqrt(1000.0)), 0.5, 1e-12);
}

TEST(Axis, TheLargestNumbersHaveAnEnd) {
  const Axis axis(1, 1.5e308, Axis::Ends::rounded, Axis::Scale::logarithmic);
  EXPECT_LT(axis.ticks().size(), 400u);
  EXPECT_LE(axis.place(1.5e308), 1);
}

TEST(Axis, ASingleValueLiesInside) {
  for (double value : {0.0, 3.0, -2.0, 1e-9, 1e9}) {
    const Axis axis(value, value, Axis::Ends::rounded);
    EXPECT_GT(axis.place(value), 0.1) << value;
    EXPECT_LT(axis.place(value), 0.9) << value;
    EXPECT_GE(axis.ticks().size(), 2u) << value;
  }
}

TEST(Curves, ThePictureGrowsByAPanelForEachMeasure) {
  Typesetter typesetter;
  const Curve curve{"BLEU", {{100, 5}, {200, 9}}, Curve::Best::highest};
  const std::vector<Panel> one = {{"Validation BLEU", true, {curve}}};
  const std::vector<Panel> two = {one[0], one[0]};
  const Drawing a = draw_curves("run", "updates", one, typesetter);
  const Drawing b = draw_curves("run", "updates", two, typesetter);
  EXPECT_EQ(a.width, b.width);
  EXPECT_GT(b.height, a.height + 150);
  const Pixels pixels(a);
  EXPECT_GT(pixels.marks(0, 0, a.width, a.height), 500);
  EXPECT_EQ(pixels.marks(0, 0, a.width, 10), 0);  // no line extends beyond the panel
}

TEST(Curves, RunsAreNamedOnceBelowTheTitle) {
  Typesetter typesetter;
  const Curve curve{"first run", {{100, 5}, {200, 9}}, Curve::Best::highest};
  Curve other = curve;
  other.name = "second run";
  const Panel alone{"Validation BLEU", true, {curve}},
      both{"Validation BLEU", true, {curve, other}};
  const auto marks = [&](const std::vector<Panel>& panels) {
    const Drawing drawing = draw_curves("", "minutes", panels, typesetter);
    return Pixels(drawing).marks(drawing.width / 2, 50, drawing.width / 2, 20);  // below the title
  };
  EXPECT_EQ(marks({alone, alone}), 0);
  EXPECT_EQ(marks({both}), 0);
  EXPECT_GT(marks({both, both}), 100);
}

TEST(Curves, LongNamesOfRunsStayOnTheirLine) {
  Typesetter typesetter;
  Curve curve{std::string(200, 'm'), {{100, 5}, {200, 9}}, Curve::Best::highest};
  const std::vector<Curve> curves(6, curve);
  const Panel panel{"Validation BLEU", true, curves};
  for (const std::vector<Panel>& panels : {std::vector<Panel>{panel}, {panel, panel}}) {
    const Drawing drawing = draw_curves("", "minutes", panels, typesetter);
    const Pixels pixels(drawing);
    const double line = panels.size() == 1 ? 82 : 52;  // top of the line with the names
    EXPECT_GT(pixels.marks(drawing.width / 2, line, drawing.width / 2 - 30, 18), 100);
    EXPECT_EQ(pixels.marks(0, 52, 85, 32), 0) << "left of the panel";
  }
}

}  // namespace
}  // namespace heed
