// heed plot: attention heatmaps of a dump, learning curves of a run.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "cli/options.h"
#include "plot/attention_dump.h"
#include "plot/curves.h"
#include "plot/heatmap.h"
#include "plot/run_log.h"

namespace heed::cli {
namespace {

namespace fs = std::filesystem;

struct PlotOptions {
  std::string input, output, format, lines;
};

// The format asked for, or else the one that the output's name ends in.
std::string format_of(const PlotOptions& options) {
  if (!options.format.empty()) return options.format;
  std::string ending = fs::path(options.output).extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  const auto& known = picture_formats();
  if (std::find(known.begin(), known.end(), ending) == known.end()) {
    fail("--output {}: the name must end in one of .{}, or --format say which it is",
         options.output, fmt::join(known, ", ."));
  }
  return ending;
}

void write_picture(const std::string& path, const std::string& bytes) {
  write_file(path == "-" ? "/dev/stdout" : path, bytes);
  spdlog::info("wrote {}", path);
}

void write_drawing(const std::string& path, const std::string& format, const Drawing& drawing) {
  if (format == "png") write_picture(path, render_png(drawing));
  if (format == "svg") write_picture(path, render_svg(drawing));
  if (format == "pdf") write_picture(path, render_pdf({drawing}));
}

// "a/b.png" and 3: "a/b-3.png".
std::string numbered(const std::string& path, int64_t number) {
  const fs::path whole(path);
  const std::string name =
      fmt::format("{}-{}{}", whole.stem().string(), number, whole.extension().string());
  return (whole.parent_path() / name).string();
}

void plot_attention(const PlotOptions& options, const std::string& format, Typesetter& typesetter) {
  const auto records = read_attention(options.input, LineSelection(options.lines));
  if (format == "pdf") {
    std::vector<Drawing> pages;
    for (const auto& record : records) pages.push_back(draw_heatmap(record, typesetter));
    write_picture(options.output, render_pdf(pages));
    return;
  }
  const bool is_name =
      options.output != "-" && (!fs::exists(options.output) || fs::is_regular_file(options.output));
  if (records.size() > 1 && !is_name)
    fail(
        "--output {}: {} pictures need a file's name, which each gets its number in; --lines "
        "chooses one, and a pdf holds all",
        options.output, records.size());
  for (const auto& record : records) {
    const std::string path =
        records.size() == 1 ? options.output : numbered(options.output, record.line);
    write_drawing(path, format, draw_heatmap(record, typesetter));
  }
}

void plot_run(const PlotOptions& options, const std::string& format, Typesetter& typesetter) {
  if (!options.lines.empty())
    fail("--lines chooses sentences of a dump, {} is a folder", options.input);
  const fs::path log = fs::path(options.input) / "log.jsonl";
  if (!fs::exists(log)) fail("{} is no run directory: it has no log.jsonl", options.input);
  const auto panels = read_run_log(log.string());
  const fs::path folder = fs::absolute(options.input).lexically_normal();
  const fs::path name = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
  const Drawing drawing = draw_curves("Learning curves of " + name.string(), panels, typesetter);
  write_drawing(options.output, format, drawing);
}

}  // namespace

int run_plot(const Arguments& arguments) {
  PlotOptions chosen;
  Options options(
      "heed plot A.jsonl|RUN_DIR --output PATH",
      "Draws the attention of each sentence of a dump (heed translate --attention) as a "
      "heatmap, or the learning curves of a run directory.");
  options.positional("input", chosen.input, "attention dump, or run directory")
      .text("output", chosen.output,
            "picture to write; with several sentences as PNG or SVG, PATH-N.png for line N")
      .choice("format", chosen.format, picture_formats(),
              "kind of picture (default: by the ending of the output)")
      .text("lines", chosen.lines, "lines of the dump to draw, as 1,4-7 (default: all)")
      .required("input")
      .required("output");
  if (!options.parse(arguments)) return 0;
  const std::string format = format_of(chosen);
  Typesetter typesetter;
  if (fs::is_directory(chosen.input)) {
    plot_run(chosen, format, typesetter);
  } else {
    plot_attention(chosen, format, typesetter);
  }
  if (!typesetter.first_without_font().empty()) {
    spdlog::warn(
        "no font has all characters of '{}': they are drawn as boxes with their code; "
        "installing a font of that script (fonts-noto, fonts-noto-cjk) mends it",
        typesetter.first_without_font());
  }
  return 0;
}

}  // namespace heed::cli
