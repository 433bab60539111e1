#include "train/training_reports.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/log.h"
#include "base/numbers.h"

namespace heed {
namespace {

std::string figures_text(const ValidationFigures& figures) {
  const std::string bleu =
      std::isnan(figures.bleu) ? "" : "bleu " + format_fixed(figures.bleu, 2) + ", ";
  return bleu + "cross-entropy " + format_fixed(figures.cross_entropy, 4) + ", perplexity " +
         format_fixed(figures.perplexity, 3);
}

}  // namespace

void TrainingReports::add(const Batch& batch, const GradientFigures& figures, double learning_rate,
                          double seconds) {
  last_norm_ = figures.norm;
  last_rate_ = learning_rate;
  sums_.loss += figures.loss * static_cast<double>(figures.tokens);
  sums_.cross_entropy += figures.cross_entropy;
  sums_.seconds += seconds;
  sums_.tokens += figures.tokens;
  sums_.positions += batch.B * (batch.S + batch.T);
  sums_.real_positions +=
      std::accumulate(batch.source_length.begin(), batch.source_length.end(), batch.target_tokens);
}

double TrainingReports::tokens_per_second() const {
  return static_cast<double>(sums_.tokens) / std::max(sums_.seconds, 1e-9);
}

void TrainingReports::report(const RunPosition& at) {
  if (sums_.tokens == 0) return;
  const double tokens = static_cast<double>(sums_.tokens);
  TrainReport report;
  report.update = at.update;
  report.epoch = at.epoch;
  report.loss = sums_.loss / tokens;
  report.cross_entropy = sums_.cross_entropy / tokens;
  report.tokens_per_second = tokens_per_second();
  report.learning_rate = last_rate_;
  report.gradient_norm = last_norm_;
  report.minutes = at.minutes;
  report.padding = 1 - static_cast<double>(sums_.real_positions) /
                           static_cast<double>(std::max<int64_t>(sums_.positions, 1));
  log_.write(report);
  if (!progress_.enabled()) {
    spdlog::info(
        "update {}, epoch {}: loss {}, perplexity {}, {} tokens/s, learning rate {:.4g}, "
        "gradient norm {}",
        report.update, report.epoch, format_fixed(report.loss, 4),
        format_fixed(std::exp(report.cross_entropy), 2),
        format_thousands(std::llround(report.tokens_per_second)), report.learning_rate,
        format_fixed(report.gradient_norm, 3));
  }
  sums_ = {};
}

void TrainingReports::show_progress(const RunPosition& at) {
  if (!progress_.due() || sums_.tokens == 0) return;
  ProgressView view;
  view.update = at.update;
  view.epoch = at.epoch;
  view.fraction = at.fraction;
  view.loss = sums_.loss / static_cast<double>(sums_.tokens);
  view.tokens_per_second = tokens_per_second();
  const double gained = at.fraction - first_fraction_;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started_;
  if (gained > 0) view.seconds_left = spent.count() / gained * (1 - at.fraction);
  progress_.show(view);
}

void TrainingReports::report_validation(const ValidationReport& report, const std::string& best) {
  log_.write(report);
  spdlog::info("update {}, epoch {}: validation {}; {}", report.update, report.epoch,
               figures_text(report.figures), report.best ? "best so far" : best);
}

}  // namespace heed
