// heed plot: attention heatmaps of a dump, learning curves of a run, scores of a report, and pages
// of the first two.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "cli/options.h"
#include "plot/attention_dump.h"
#include "plot/bars.h"
#include "plot/curves.h"
#include "plot/heatmap.h"
#include "plot/run_curves.h"
#include "plot/run_samples.h"
#include "plot/score_report.h"
#include "plot/viewer.h"

namespace heed::cli {
namespace {

namespace fs = std::filesystem;

struct PlotOptions {
  std::vector<std::string> inputs;
  std::string output, format, lines, against = "updates", matrix = "attention";
};

constexpr const char* kPage = "html";

// Those of pictures, and the page.
std::vector<std::string> formats() {
  std::vector<std::string> names = picture_formats();
  names.emplace_back(kPage);
  return names;
}

// The format asked for, or else the one that the output's name ends in.
std::string format_of(const PlotOptions& options) {
  if (!options.format.empty()) return options.format;
  std::string ending = fs::path(options.output).extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  const auto known = formats();
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
  const LineSelection lines(options.lines);
  const auto records = format == kPage ? read_matrices(options.inputs[0], lines)
                                       : read_attention(options.inputs[0], lines, options.matrix);
  if (format == "pdf" || format == kPage)
    check_not_read({"--output", options.output}, {{"the dump", options.inputs[0]}});
  if (format == kPage) {
    const std::string name = fs::path(options.inputs[0]).filename().string();
    write_picture(options.output, render_viewer(name, records));
    return;
  }
  if (format == "pdf") {
    std::vector<Drawing> pages;
    for (const auto& record : records) pages.push_back(draw_heatmap(record, typesetter));
    write_picture(options.output, render_pdf(pages));
    return;
  }
  const auto path_of = [&](const AttentionRecord& record) {
    return records.size() == 1 ? options.output : numbered(options.output, record.line);
  };
  for (const auto& record : records)
    check_not_read({"--output", path_of(record)}, {{"the dump", options.inputs[0]}});
  const bool is_name =
      options.output != "-" && (!fs::exists(options.output) || fs::is_regular_file(options.output));
  if (records.size() > 1 && !is_name)
    fail(
        "--output {}: {} pictures need a file's name, which each gets its number in; --lines "
        "chooses one, and a pdf holds all",
        options.output, records.size());
  for (const auto& record : records)
    write_drawing(path_of(record), format, draw_heatmap(record, typesetter));
}

// The last part of a run directory's name.
std::string name_of_run(const std::string& directory) {
  const fs::path folder = fs::absolute(directory).lexically_normal();
  return (folder.has_filename() ? folder : folder.parent_path()).filename();
}

std::vector<Panel> panels_of_run(const std::string& directory, RunAxis axis) {
  const fs::path log = fs::path(directory) / "log.jsonl";
  if (!fs::exists(log)) fail("{} is not a run directory: it has no log.jsonl", directory);
  return read_run_log(log.string(), axis);
}

struct NamedRun {
  std::string directory, name;  // the name: unique among the runs
};

std::vector<NamedRun> named_runs(const std::vector<std::string>& directories) {
  std::vector<NamedRun> runs;
  for (const std::string& directory : directories) {
    const std::string name = name_of_run(directory);
    const auto same = [&name](const std::string& other) { return name_of_run(other) == name; };
    const bool unique = std::count_if(directories.begin(), directories.end(), same) == 1;
    runs.push_back({directory, unique ? name : directory});
  }
  return runs;
}

void check_no_file_of_runs(const PlotOptions& options, bool page) {
  for (const std::string& input : options.inputs) {
    std::vector<NamedFile> files = {{"the run's log", (fs::path(input) / "log.jsonl").string()}};
    if (page)
      for (const std::string& file : sample_files(input)) files.push_back({"a sample", file});
    check_not_read({"--output", options.output}, files);
  }
}

void plot_runs(const PlotOptions& options, const std::string& format, Typesetter& typesetter) {
  if (!options.lines.empty())
    fail("--lines chooses sentences of a dump, {} is a folder", options.inputs[0]);
  const RunAxis axis = options.against == "minutes" ? RunAxis::minutes : RunAxis::updates;
  if (options.inputs.size() > std::size(kLineColors))
    fail("{} runs are too many for one picture: at most {}", options.inputs.size(),
         std::size(kLineColors));
  check_no_file_of_runs(options, format == kPage);
  const std::vector<NamedRun> names = named_runs(options.inputs);
  std::vector<std::pair<std::string, std::vector<Panel>>> runs;
  for (const NamedRun& run : names) runs.emplace_back(run.name, panels_of_run(run.directory, axis));
  const bool one = runs.size() == 1;
  const auto panels = one ? runs[0].second : compare_runs(runs);
  if (format == kPage) {
    std::vector<ReportedRun> reported;
    for (const NamedRun& run : names)
      reported.push_back(
          {run.name, panels_of_run(run.directory, RunAxis::updates), read_samples(run.directory)});
    write_picture(options.output, render_report(axis, panels, reported));
    return;
  }
  const std::string title = "Learning curves" + (one ? " of " + runs[0].first : "");
  write_drawing(options.output, format, draw_curves(title, axis_title(axis), panels, typesetter));
}

void plot_reports(const PlotOptions& options, const std::string& format, Typesetter& typesetter) {
  if (!options.lines.empty())
    fail("--lines chooses sentences of a dump, {} is a report", options.inputs[0]);
  if (options.inputs.size() > std::size(kLineColors))
    fail("{} reports are too many for one picture: at most {}", options.inputs.size(),
         std::size(kLineColors));
  std::vector<std::pair<std::string, std::vector<BarChart>>> reports;
  for (const std::string& input : options.inputs) {
    check_not_read({"--output", options.output}, {{"the report", input}});
    const auto stem = [](const std::string& path) { return fs::path(path).stem().string(); };
    const auto same = [&](const std::string& other) { return stem(other) == stem(input); };
    const bool unique = std::count_if(options.inputs.begin(), options.inputs.end(), same) == 1;
    reports.emplace_back(unique ? stem(input) : input, read_score_report(input));
  }
  if (format == kPage) fail("{} is a report, which is drawn as png, svg or pdf", options.inputs[0]);
  const bool one = reports.size() == 1;
  const auto charts = one ? reports[0].second : compare_score_reports(reports);
  const std::string title = "Scores" + (one ? " of " + reports[0].first : "");
  write_drawing(options.output, format, draw_bars(title, charts, typesetter));
}

void check_inputs_exist(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code other;  // reported when the input is opened
    if (fs::status(input, other).type() == fs::file_type::not_found)
      fail("{}: no such file or folder", input);
  }
}

}  // namespace

int run_plot(const Arguments& arguments) {
  PlotOptions chosen;
  Options options(
      "heed plot A.jsonl|RUN_DIR...|REPORT.json... --output PATH",
      "Draws the attention of each sentence of a dump (heed translate --attention, heed explain) "
      "as a heatmap, the learning curves of a run directory, or the scores by length, frequency "
      "and position of a report (heed evaluate --json); several runs or reports side by side. As "
      "html: one page for a browser with all sentences of the dump, or with the curves and the "
      "sample translations of the runs at each validation.");
  options.positionals("input", chosen.inputs, "attention dump, run directories, or reports")
      .text("output", chosen.output,
            "picture or page to write; with several sentences as PNG or SVG, PATH-N.png for line N")
      .choice("format", chosen.format, formats(),
              "kind of picture, or html (default: by the ending of the output)")
      .choice("matrix", chosen.matrix, {"attention", "gradient", "integrated", "erasure"},
              "matrix of the dump to draw; those of heed explain as absolute values divided by the "
              "sum of their row")
      .text("lines", chosen.lines, "lines of the dump to draw, as 1,4-7 (default: all)")
      .choice("against", chosen.against, {"updates", "minutes"},
              "horizontal axis of learning curves")
      .required("input")
      .required("output");
  if (!options.parse(arguments)) return 0;
  const std::string format = format_of(chosen);
  Typesetter typesetter;
  check_inputs_exist(chosen.inputs);
  const bool runs = fs::is_directory(chosen.inputs[0]);
  const bool reports = !runs && is_score_report(chosen.inputs[0]);
  if (!runs && !reports && chosen.inputs.size() > 1)
    fail("{} is one of {} inputs: only run directories or reports are drawn together",
         chosen.inputs[0], chosen.inputs.size());
  if ((runs || reports) && options.given("matrix"))
    fail("--matrix applies to attention dumps; {} is not one", chosen.inputs[0]);
  if (format == kPage && options.given("matrix"))
    fail("--matrix is for pictures: a page shows every matrix of the dump");
  if (!runs && options.given("against"))
    fail("--against applies to run directories; {} is a file", chosen.inputs[0]);
  if (runs) {
    plot_runs(chosen, format, typesetter);
  } else if (reports) {
    plot_reports(chosen, format, typesetter);
  } else {
    plot_attention(chosen, format, typesetter);
  }
  if (!typesetter.first_without_font().empty()) {
    spdlog::warn(
        "no font has all characters of '{}': they are drawn as boxes with their code; "
        "installing a font of that script (fonts-noto, fonts-noto-cjk) mends it",
        escaped_controls(typesetter.first_without_font()));
  }
  return 0;
}

}  // namespace heed::cli
