#include "train/log_writer.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace heed {
namespace {

using Json = nlohmann::ordered_json;

// Whether a line is complete and belongs to an update that will not be repeated.
bool is_kept(const std::string& line, int64_t update) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("update")) return false;
  const Json& found = json["update"];
  return found.is_number_integer() && found.get<int64_t>() <= update;
}

void drop_later_lines(const std::string& path, int64_t update) {
  if (!std::filesystem::exists(path)) return;
  std::string kept, line;
  bool dropped = false;
  LineReader reader(path);
  while (reader.next(line)) {
    if (is_kept(line, update)) {
      kept += line + "\n";
    } else {
      dropped = true;
    }
  }
  if (dropped) write_file(path, kept);
}

}  // namespace

LogWriter::LogWriter(const std::string& path, int64_t update) : path_(path) {
  drop_later_lines(path, update);
  file_.open(path, std::ios::app);
  if (!file_) fail("{}: cannot write: {}", path, std::strerror(errno));
}

void LogWriter::append(const std::string& line) {
  file_ << line << '\n' << std::flush;
  if (!file_) fail("{}: cannot write: {}", path_, std::strerror(errno));
}

void LogWriter::write(const TrainReport& report) {
  const Json json = {{"type", "train"},
                     {"update", report.update},
                     {"epoch", report.epoch},
                     {"loss", report.loss},
                     {"cross_entropy", report.cross_entropy},
                     {"perplexity", std::exp(report.cross_entropy)},
                     {"tokens_per_second", report.tokens_per_second},
                     {"learning_rate", report.learning_rate},
                     {"gradient_norm", report.gradient_norm},
                     {"minutes", report.minutes},
                     {"padding", report.padding}};
  append(json.dump());
}

void LogWriter::write(const ValidationReport& report) {
  const Json json = {{"type", "valid"},
                     {"update", report.update},
                     {"epoch", report.epoch},
                     {"cross_entropy", report.figures.cross_entropy},
                     {"perplexity", report.figures.perplexity},
                     {"bleu", report.figures.bleu},
                     {"learning_rate", report.learning_rate},
                     {"minutes", report.minutes},
                     {"best", report.best}};
  append(json.dump());
}

}  // namespace heed
