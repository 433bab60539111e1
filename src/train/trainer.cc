#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "base/numbers.h"
#include "train/gradients.h"

namespace heed {
namespace {

constexpr const char* kStoppedBySignal = "stopped by signal, run again to go on";

BatchOptions batch_options(const TrainConfig& train) {
  return {train.batch_tokens, train.batch_sentences, train.pool_batches};
}

// "best bleu 21.30 at update 4000"; the name is left out where it has been told already.
std::string best_text(const Metric& metric, const BestValue& best, bool with_name = true) {
  const std::string name = with_name ? metric.name + std::string(" ") : "";
  if (!best.value) return fmt::format("no {}value yet", name);
  return fmt::format("best {}{} at update {}", name, format_fixed(*best.value, metric.decimals),
                     best.update);
}

std::string figures_text(const ValidationFigures& figures) {
  const std::string bleu =
      std::isnan(figures.bleu) ? "" : "bleu " + format_fixed(figures.bleu, 2) + ", ";
  return bleu + "cross-entropy " + format_fixed(figures.cross_entropy, 4) + ", perplexity " +
         format_fixed(figures.perplexity, 3);
}

int64_t real_positions(const Batch& batch) {
  int64_t count = batch.target_tokens;
  for (const int32_t length : batch.source_length) count += length;
  return count;
}

}  // namespace

Trainer::Trainer(const TrainingJob& job)
    : job_(job),
      metric_(find_metric(job.parts.config.train.metric)),
      batch_options_(batch_options(job.parts.config.train)),
      optimizer_(make_optimizer(job.parts.config.train, job.parts.model.parameters())),
      average_(job.parts.config.train.weight_average, job.parts.model.parameters()),
      schedule_(job.parts.config.train),
      progress_(job.show_progress),
      arena_(job.parts.model.device()) {
  if (std::filesystem::exists(last_path())) {
    resume();
  } else if (std::filesystem::exists(best_path())) {
    spdlog::warn("{} is there, but no last.heed to go on from: starting anew, it will be replaced",
                 best_path());
  }
  state_.metric = metric_.name;
  state_.optimizer = optimizer_->name();
  state_.data_order = data_order(job_.corpus, batch_options_, job_.parts.config.run.seed);
}

std::string Trainer::best_path() const { return job_.parts.config.run.dir + "/best.heed"; }
std::string Trainer::last_path() const { return job_.parts.config.run.dir + "/last.heed"; }

void Trainer::resume() {
  state_ = load_training_state(last_path(), job_.parts.model, *optimizer_, average_.values());
  resumed_ = true;
  saved_update_ = state_.update;
  minutes_before_ = state_.minutes;
  schedule_.set_state(state_.schedule);
  if (state_.optimizer != optimizer_->name()) {
    spdlog::warn("train.optimizer was {} and is {} now: its moments start at zero",
                 state_.optimizer, optimizer_->name());
  }
  if (state_.metric != metric_.name) {
    spdlog::warn(
        "train.metric was {} and is {} now: there is no best value yet, the next "
        "validation replaces {}",
        state_.metric, metric_.name, best_path());
    state_.saved = state_.regular = {};
  }
  resume_data_order();
}

void Trainer::resume_data_order() {
  const uint64_t order = data_order(job_.corpus, batch_options_, job_.parts.config.run.seed);
  if (order == state_.data_order) return;
  spdlog::warn(
      "the training data, its batches or the seed are not those of {}: epoch {} starts "
      "from its beginning",
      last_path(), state_.epoch + 1);
  restarted_ = state_.position > 0;
  state_.position = 0;
}

double Trainer::minutes_now() const {
  return minutes_before_ + std::chrono::duration<double>(Clock::now() - job_.started).count() / 60;
}

int64_t Trainer::epoch_number() const {
  const bool at_end = state_.position == 0 && state_.update > 0 && !restarted_;
  return at_end ? state_.epoch : state_.epoch + 1;
}

std::string Trainer::limit_reached() const {
  const TrainConfig& train = settings();
  if (train.patience > 0 && state_.regular.not_better >= train.patience) {
    const int64_t count = state_.regular.not_better;
    return fmt::format("no better {} in {} validation{} ({})", metric_.name, count,
                       count == 1 ? "" : "s", best_text(metric_, state_.regular, false));
  }
  if (train.updates > 0 && state_.update >= train.updates) {
    return fmt::format("train.updates = {} reached", train.updates);
  }
  if (train.epochs > 0 && state_.epoch >= train.epochs) {
    return fmt::format("train.epochs = {} reached", train.epochs);
  }
  if (train.minutes > 0 && minutes_now() >= train.minutes) {
    return fmt::format("train.minutes = {} reached", train.minutes);
  }
  return "";
}

std::string Trainer::nothing_to_do(const std::string& reason) const {
  // The message of a limit begins with its key; that of early stopping does not.
  const std::string key =
      reason.substr(0, 6) == "train." ? reason.substr(0, reason.find(' ')) : "train.patience";
  return fmt::format("{} is at update {}, epoch {}: {}: nothing to do; raise {}", last_path(),
                     state_.update, epoch_number(), reason, key);
}

double Trainer::planned_fraction() const {
  const TrainConfig& train = settings();
  const double part = static_cast<double>(pairs_done_) / static_cast<double>(job_.corpus.size());
  double fraction = -1;
  if (train.updates > 0)
    fraction = static_cast<double>(state_.update) / static_cast<double>(train.updates);
  if (train.epochs > 0)
    fraction = std::max(fraction, (static_cast<double>(state_.epoch) + part) / train.epochs);
  return fraction;
}

double Trainer::fraction_done() const {
  const int minutes = settings().minutes;
  return std::max(planned_fraction(), minutes > 0 ? minutes_now() / minutes : -1);
}

double Trainer::rate_of(int64_t update) const {
  return schedule_.rate(std::max<int64_t>(update, 1), planned_fraction());
}

bool Trainer::end_is_saved() const {
  return job_.validate ? state_.last_validation == state_.update
                       : std::filesystem::exists(best_path());
}

std::string Trainer::run() {
  started_ = Clock::now();
  std::string reason = limit_reached();
  if (!reason.empty() && state_.update == 0)
    fail("{} before the first update: there is no model; raise it", reason);
  if (!reason.empty() && end_is_saved()) {
    reason = nothing_to_do(reason);
    spdlog::info("{}", reason);
    if (!job_.validate) save_best();  // it may be older: a killed run saves last.heed only
    return reason;
  }
  if (resumed_) {
    spdlog::info("going on from {}: update {}, epoch {}, learning rate {:.4g}, {}", last_path(),
                 state_.update, epoch_number(), rate_of(state_.update),
                 best_text(metric_, state_.saved));
  }
  log_ = std::make_unique<RunLog>(job_.parts.config.run.dir + "/log.jsonl", state_.update);
  reader_.emplace(job_.corpus, batch_options_, job_.parts.config.run.seed, state_.epoch,
                  state_.position);
  while (reason.empty()) reason = train_next();
  reader_.reset();
  finish(reason);
  return reason;
}

// One update and what is due after it; returns the limit that it reached, or "".
std::string Trainer::train_next() {
  const Clock::time_point start = Clock::now();
  const EpochBatch next = reader_->next();
  if (!fraction_before_) {
    pairs_done_ = next.pairs_done - next.batch.B;
    fraction_before_ = fraction_done();
  }
  train_batch(next.batch);
  restarted_ = false;
  window_.seconds += std::chrono::duration<double>(Clock::now() - start).count();
  state_.epoch += next.ends_epoch;
  state_.position = next.ends_epoch ? 0 : state_.position + 1;
  pairs_done_ = next.ends_epoch ? 0 : next.pairs_done;
  after_update();
  const std::string reason = limit_reached();
  if (!reason.empty()) return reason;
  return job_.stop_requested && job_.stop_requested() ? kStoppedBySignal : "";
}

void Trainer::train_batch(const Batch& batch) {
  Model& model = job_.parts.model;
  const int64_t update = state_.update + 1;
  const GradientFigures figures =
      compute_gradients(model, arena_, batch, forward_options(job_.parts.config, update));
  last_norm_ = figures.norm;
  last_rate_ = rate_of(update);
  check_finite(figures.loss, last_norm_, last_rate_);
  const double scale = clip_scale(last_norm_, settings().clip_norm);
  optimizer_->step(model.parameters(), static_cast<Real>(scale), last_rate_);
  average_.follow(update);

  state_.update = update;
  state_.target_tokens += figures.tokens;
  window_.loss += figures.loss * static_cast<double>(figures.tokens);
  window_.cross_entropy += figures.cross_entropy;
  window_.tokens += figures.tokens;
  window_.positions += batch.B * (batch.S + batch.T);
  window_.real_positions += real_positions(batch);
}

void Trainer::check_finite(double loss, double norm, double learning_rate) const {
  if (std::isfinite(loss) && std::isfinite(norm)) return;
  const std::string kept = std::filesystem::exists(best_path())
                               ? "the best model so far is " + best_path()
                               : "no model had been saved yet";
  fail(
      "update {}: loss is {} (learning rate {:.4g}, gradient norm {}); {}; lower "
      "train.learning_rate or train.clip_norm",
      state_.update + 1, loss, learning_rate, norm, kept);
}

void Trainer::after_update() {
  const TrainConfig& train = settings();
  const auto every = [this](int64_t n) { return n > 0 && state_.update % n == 0; };
  if (every(train.report_every)) report();
  show_progress();
  if (job_.validate && every(train.valid_every)) {
    validate(true);
    save_last();
  } else if (every(train.save_every)) {
    save_last();
  }
}

void Trainer::report() {
  if (window_.tokens == 0) return;
  const double tokens = static_cast<double>(window_.tokens);
  TrainReport report;
  report.update = state_.update;
  report.epoch = epoch_number();
  report.loss = window_.loss / tokens;
  report.cross_entropy = window_.cross_entropy / tokens;
  report.tokens_per_second = tokens / std::max(window_.seconds, 1e-9);
  report.learning_rate = last_rate_;
  report.gradient_norm = last_norm_;
  report.minutes = minutes_now();
  report.padding = 1 - static_cast<double>(window_.real_positions) /
                           static_cast<double>(std::max<int64_t>(window_.positions, 1));
  log_->write(report);
  if (!progress_.enabled()) {
    spdlog::info(
        "update {}, epoch {}: loss {}, perplexity {}, {} tokens/s, learning rate {:.4g}, "
        "gradient norm {}",
        report.update, report.epoch, format_fixed(report.loss, 4),
        format_fixed(std::exp(report.cross_entropy), 2),
        format_thousands(std::llround(report.tokens_per_second)), report.learning_rate,
        format_fixed(report.gradient_norm, 3));
  }
  window_ = {};
}

void Trainer::show_progress() {
  if (!progress_.due() || window_.tokens == 0) return;
  ProgressView view;
  view.update = state_.update;
  view.epoch = epoch_number();
  view.fraction = fraction_done();
  view.loss = window_.loss / static_cast<double>(window_.tokens);
  view.tokens_per_second = static_cast<double>(window_.tokens) / std::max(window_.seconds, 1e-9);
  const double gained = view.fraction - fraction_before_.value_or(0);
  const double spent = std::chrono::duration<double>(Clock::now() - started_).count();
  if (gained > 0) view.seconds_left = spent / gained * (1 - view.fraction);
  progress_.show(view);
}

void Trainer::validate(bool regular) {
  progress_.clear();
  ValidationReport report;
  report.update = state_.update;
  report.epoch = epoch_number();
  {
    const WeightAverage::InPlace averaged(average_);
    report.figures = job_.validate(state_.update);
  }
  const double value = report.figures.*metric_.value;
  report.best = state_.saved.offer(metric_, value, state_.update);
  state_.last_validation = state_.update;
  bool decayed = false;
  if (regular) {
    decayed = schedule_.validated(state_.regular.offer(metric_, value, state_.update));
    state_.schedule = schedule_.state();
  }
  report.learning_rate = rate_of(state_.update);
  report.minutes = minutes_now();
  state_.minutes = report.minutes;
  if (report.best) save_best();
  log_->write(report);
  spdlog::info("update {}, epoch {}: validation {}; {}", report.update, report.epoch,
               figures_text(report.figures),
               report.best ? "best so far" : best_text(metric_, state_.saved));
  if (decayed) spdlog::info("learning rate lowered to {:.4g}", report.learning_rate);
}

// A full disk costs the updates since last.heed was saved, and nothing else.
template <typename Save>
void Trainer::save(Save write) {
  try {
    write();
  } catch (const UserError& error) {
    fail("{}; make room there and run the same command again: it {}", error.what(),
         std::filesystem::exists(last_path()) ? fmt::format("goes on from update {}", saved_update_)
                                              : "starts anew");
  }
}

void Trainer::save_best() {
  const WeightAverage::InPlace averaged(average_);
  save([this] { save_model(best_path(), job_.parts, state_); });
}

void Trainer::save_last() {
  state_.minutes = minutes_now();
  state_.optimizer_steps = optimizer_->steps();
  save([this] {
    save_training_state(last_path(), job_.parts, state_, *optimizer_, average_.values());
  });
  saved_update_ = state_.update;
}

void Trainer::finish(const std::string& reason) {
  progress_.clear();
  report();
  const bool by_signal = reason == kStoppedBySignal;
  if (saved_update_ != state_.update) save_last();
  if (!job_.validate) {
    save_best();
  } else if (!by_signal && state_.last_validation != state_.update) {
    validate(false);
    save_last();
  }
  spdlog::info("{}{}", by_signal ? "" : "stopped: ", reason);
}

}  // namespace heed
