#include "plot/run_samples.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "base/numbers.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "update-";

// The number in a name such as "update-00000360.txt"; nullopt for other names.
std::optional<int64_t> update_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  if (!stem.starts_with(kPrefix)) return std::nullopt;
  return parse_int(std::string_view(stem).substr(kPrefix.size()));
}

// Reads the value of a line such as "source A dog.", whose name is "source".
std::string value_of(const std::string& line, std::string_view name, const std::string& where) {
  constexpr size_t kColumn = 13;
  const std::string key = std::string(name) + std::string(kColumn - name.size(), ' ');
  if (!line.starts_with(key)) fail("{}: expected '{}' here; is the file cut?", where, name);
  return line.substr(kColumn);
}

struct SampleText {
  std::string source, reference, translation;
};

std::vector<SampleText> read_texts(const std::string& path) {
  std::vector<SampleText> texts;
  LineReader reader(path);
  std::string line;
  const auto value = [&](std::string_view name) {
    const std::string where = fmt::format("{}:{}", path, reader.line_number());
    return value_of(line, name, where);
  };
  while (reader.next(line)) {
    if (line.empty()) continue;
    SampleText text;
    text.source = value("source");
    if (!reader.next(line)) line.clear();
    text.reference = value("reference");
    if (!reader.next(line)) line.clear();
    text.translation = value("translation");
    texts.push_back(std::move(text));
  }
  return texts;
}

void add_validation(RunSamples& samples, const fs::path& file) {
  const std::vector<SampleText> texts = read_texts(file.string());
  const size_t number = samples.updates.size();
  samples.updates.push_back(*update_of(file));
  if (samples.sentences.size() < texts.size()) samples.sentences.resize(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    SampleSentence& sentence = samples.sentences[i];
    sentence.source = texts[i].source;
    sentence.reference = texts[i].reference;
    sentence.versions.resize(number);
    sentence.versions.emplace_back(SampleVersion{texts[i].translation, std::nullopt});
  }
  const fs::path dump = fs::path(file).replace_extension(".jsonl");
  if (!fs::exists(dump)) return;
  for (AttentionRecord& record : read_attention_or_none(dump.string())) {
    const auto i = static_cast<size_t>(record.id);
    if (record.id >= 0 && i < texts.size())
      samples.sentences[i].versions[number]->attention = std::move(record);
  }
}

}  // namespace

std::vector<std::string> sample_files(const std::string& run_directory) {
  std::vector<std::string> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(fs::path(run_directory) / "samples", missing)) {
    const std::string ending = entry.path().extension().string();
    if (update_of(entry.path()) && (ending == ".txt" || ending == ".jsonl"))
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

RunSamples read_samples(const std::string& run_directory) {
  std::vector<fs::path> texts;
  for (const std::string& file : sample_files(run_directory))
    if (fs::path(file).extension() == ".txt") texts.emplace_back(file);
  std::sort(texts.begin(), texts.end(),
            [](const fs::path& a, const fs::path& b) { return *update_of(a) < *update_of(b); });
  RunSamples samples;
  for (const fs::path& file : texts) add_validation(samples, file);
  for (SampleSentence& sentence : samples.sentences) sentence.versions.resize(texts.size());
  return samples;
}

}  // namespace heed
