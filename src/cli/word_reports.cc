#include "cli/word_reports.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "eval/by_frequency.h"
#include "eval/by_position.h"
#include "eval/diagnosis.h"
#include "eval/inputs.h"
#include "eval/words.h"

namespace heed::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownLines = 10;

// Two decimals, or a dash for a share of nothing.
std::string shown(const std::optional<double>& percent) {
  return percent ? fmt::format("{:.2f}", *percent) : "-";
}

Json json_of(const std::optional<double>& percent) { return percent ? Json(*percent) : Json(); }

// The words of all texts.
struct TextWords {
  std::vector<Words> hypotheses, sources;
  std::vector<std::vector<Words>> references;
};

TextWords words_of_texts(const ReportedTexts& texts, const MetricOptions& options) {
  TextWords words;
  words.hypotheses = words_of_lines(texts.hypotheses, options);
  words.sources = words_of_lines(texts.sources, options);
  for (const auto& reference : texts.references)
    words.references.push_back(words_of_lines(reference, options));
  return words;
}

// Training text of another language or another form has few of the words.
void doubt_training(const std::vector<FrequencyBand>& bands,
                    const std::vector<std::string>& training) {
  int64_t words = 0;
  for (const FrequencyBand& band : bands) words += band.reference;
  if (2 * bands.front().reference <= words) return;
  spdlog::warn(
      "{}: {} of the {} words of the reference are not in it; --training needs text of the target "
      "side in the same form as the reference",
      fmt::join(training, ", "), bands.front().reference, words);
}

Report frequency_report(const WordReportChoice& choice, const TextWords& words,
                        const MetricOptions& options) {
  const TrainingWords training =
      count_training_words(choice.training, words.hypotheses, words.references[0], options);
  const auto bands = words_by_frequency(words.hypotheses, words.references[0], training);
  doubt_training(bands, choice.training);
  const std::string signature = frequency_signature(options, training);
  Report report;
  report.json = {{"report", "by_frequency"}, {"signature", signature}};
  report.text = fmt::format(
      "words by frequency|{}\n{:>16}  {:>9}  {:>10}  {:>7}  {:>9}  {:>6}  {:>6}", signature,
      "in training text", "reference", "hypothesis", "matches", "precision", "recall", "F1");
  for (const FrequencyBand& band : bands) {
    report.json["bands"].push_back({{"frequency", band.name()},
                                    {"reference_words", band.reference},
                                    {"hypothesis_words", band.hypothesis},
                                    {"matches", band.matches},
                                    {"precision", json_of(band.precision())},
                                    {"recall", json_of(band.recall())},
                                    {"f1", json_of(band.f1())}});
    report.text += fmt::format("\n{:>16}  {:>9}  {:>10}  {:>7}  {:>9}  {:>6}  {:>6}", band.name(),
                               band.reference, band.hypothesis, band.matches,
                               shown(band.precision()), shown(band.recall()), shown(band.f1()));
  }
  return report;
}

Report position_report(const TextWords& words, const MetricOptions& options) {
  const std::string signature = position_signature(options);
  Report report;
  report.json = {{"report", "by_position"}, {"signature", signature}};
  report.text = fmt::format("words by position|{}\n{:>16}  {:>9}  {:>9}  {:>6}", signature,
                            "in the reference", "reference", "found", "recall");
  for (const PositionPart& part : words_by_position(words.hypotheses, words.references[0])) {
    report.json["parts"].push_back({{"position", part.name()},
                                    {"reference_words", part.words},
                                    {"found", part.found},
                                    {"recall", json_of(part.recall())}});
    report.text += fmt::format("\n{:>16}  {:>9}  {:>9.1f}  {:>6}", part.name(), part.words,
                               part.found, shown(part.recall()));
  }
  return report;
}

double percent_of(size_t lines, int64_t all) {
  return 100 * static_cast<double>(lines) / static_cast<double>(all);
}

Report diagnosis_report(const TextWords& words, const MetricOptions& options) {
  const Diagnosis diagnosis = diagnose(words.hypotheses, words.references, words.sources);
  const std::string signature = diagnosis_signature(options, words.references.size());
  Report report;
  report.json = {{"report", "diagnosis"},
                 {"signature", signature},
                 {"lines", diagnosis.lines},
                 {"faulty", diagnosis.faulty}};
  report.text =
      fmt::format("diagnosis|{}\n{} of {} lines have a fault\n{:>16}  {:>9}  {:>7}  {}", signature,
                  diagnosis.faulty, diagnosis.lines, "fault", "lines", "percent", "first of them");
  for (const FaultyLines& faulty : diagnosis.faults) {
    const double percent = percent_of(faulty.lines.size(), diagnosis.lines);
    const std::vector<int64_t> first(faulty.lines.begin(),
                                     faulty.lines.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                faulty.lines.size(), kShownLines)));
    report.json["faults"].push_back({{"fault", faulty.fault},
                                     {"meaning", faulty.meaning},
                                     {"lines", faulty.lines.size()},
                                     {"percent", percent},
                                     {"first", first}});
    report.text += fmt::format("\n{:>16}  {:>9}  {:>7.2f}{}{}", faulty.fault, faulty.lines.size(),
                               percent, first.empty() ? "" : "  ", fmt::join(first, ", "));
  }
  return report;
}

}  // namespace

void WordReportChoice::declare(Options& options) {
  options
      .flag("by-frequency", by_frequency,
            "also precision and recall of single words (clipped as in BLEU) by how often they "
            "occur in --training; of the first reference")
      .list("training", training, "for --by-frequency: the target side of the training text")
      .flag("by-position", by_position,
            "also the share of the words of the first reference that the hypothesis has, by their "
            "position in the sentence")
      .flag("diagnose", diagnose,
            "also lines that are empty, far longer or shorter than the reference (1.5 times and 5 "
            "words), that repeat 1 to 4 words three times or more in a row, or that are those of "
            "--source");
}

void WordReportChoice::check() const {
  if (by_frequency && training.empty()) throw UsageError("--by-frequency needs --training");
  if (!training.empty() && !by_frequency) throw UsageError("--training is for --by-frequency");
}

std::vector<Report> word_reports(const WordReportChoice& choice, const ReportedTexts& texts,
                                 const MetricOptions& options) {
  std::vector<Report> reports;
  if (!choice.wanted()) return reports;
  const TextWords words = words_of_texts(texts, options);
  if (choice.by_frequency) reports.push_back(frequency_report(choice, words, options));
  if (choice.by_position) reports.push_back(position_report(words, options));
  if (choice.diagnose) reports.push_back(diagnosis_report(words, options));
  return reports;
}

}  // namespace heed::cli
