#include "train/trainer.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "train/training_resume.h"

namespace heed {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kStoppedBySignal = "stopped by signal, run again to go on";

BatchOptions batch_options(const TrainConfig& train) {
  return {train.batch_tokens, train.batch_sentences, train.pool_batches};
}

}  // namespace

Trainer::Trainer(const TrainingJob& job)
    : job_(job),
      metric_(find_validation_metric(settings().metric)),
      batch_options_(batch_options(settings())),
      updater_(job_.contents.config, job_.contents.model),
      schedule_(settings()),
      limits_(settings(), metric_),
      saves_(job_.contents, updater_),
      clock_(job_.started) {
  const uint64_t order = data_order(job_.corpus, batch_options_, job_.contents.config.run.seed);
  if (saves_.has_last()) {
    const ResumedTraining resumed =
        resume_training(saves_, job_.contents.model, updater_, metric_.name, order);
    state_ = resumed.state;
    restarted_epoch_ = resumed.restarted_epoch;
    resumed_ = true;
    schedule_.set_state(state_.schedule);
    clock_ = RunClock(job_.started, state_.minutes);
  } else if (saves_.has_best()) {
    spdlog::warn("{} is there, but no last.heed to go on from: starting anew, it will be replaced",
                 saves_.best_path());
  }
  state_.metric = metric_.name;
  state_.optimizer = updater_.optimizer().name();
  state_.data_order = order;
}

int64_t Trainer::epoch_number() const {
  const bool at_end = state_.position == 0 && state_.update > 0 && !restarted_epoch_;
  return at_end ? state_.epoch : state_.epoch + 1;
}

double Trainer::epoch_share() const {
  return static_cast<double>(pairs_done_) / static_cast<double>(job_.corpus.size());
}

RunPosition Trainer::position() const {
  const double minutes = clock_.minutes();
  return {state_.update, epoch_number(), minutes,
          limits_.fraction_done(state_, epoch_share(), minutes)};
}

double Trainer::rate_of(int64_t update) const {
  return schedule_.rate(std::max<int64_t>(update, 1),
                        limits_.planned_fraction(state_, epoch_share()));
}

bool Trainer::end_is_saved() const {
  return job_.validate ? state_.last_validation == state_.update : saves_.has_best();
}

std::string Trainer::do_nothing(const ReachedLimit& limit) {
  const std::string reason =
      fmt::format("{} is at update {}, epoch {}: {}: nothing to do; raise {}", saves_.last_path(),
                  state_.update, epoch_number(), limit.message, limit.key);
  spdlog::info("{}", reason);
  if (!job_.validate) saves_.save_best(state_);  // a killed run saves last.heed only
  return reason;
}

std::string Trainer::run() {
  const std::optional<ReachedLimit> limit = limits_.reached(state_, clock_.minutes());
  if (limit && state_.update == 0)
    fail("{} before the first update: there is no model; raise it", limit->message);
  if (limit && end_is_saved()) return do_nothing(*limit);
  if (resumed_) {
    spdlog::info("going on from {}: update {}, epoch {}, learning rate {:.4g}, {}",
                 saves_.last_path(), state_.update, epoch_number(), rate_of(state_.update),
                 best_text_with_name(state_.saved, metric_));
  }
  const RunConfig& settings = job_.contents.config.run;
  reports_.emplace(settings.dir + "/log.jsonl", state_.update, job_.show_progress);
  reader_.emplace(job_.corpus, batch_options_, settings.seed, state_.epoch, state_.position);
  std::string reason = limit ? limit->message : "";
  while (reason.empty()) reason = train_next();
  reader_.reset();
  finish(reason);
  return reason;
}

std::string Trainer::train_next() {
  const Clock::time_point start = Clock::now();
  const EpochBatch next = reader_->next();
  if (!has_begun_) {
    has_begun_ = true;
    pairs_done_ = next.pairs_done - next.batch.B;
    reports_->set_first_fraction(position().fraction);
  }
  train_batch(next.batch, start);
  state_.epoch += next.ends_epoch;
  state_.position = next.ends_epoch ? 0 : state_.position + 1;
  pairs_done_ = next.ends_epoch ? 0 : next.pairs_done;
  after_update();
  if (const auto limit = limits_.reached(state_, clock_.minutes())) return limit->message;
  return job_.stop_requested && job_.stop_requested() ? kStoppedBySignal : "";
}

void Trainer::train_batch(const Batch& batch, Clock::time_point start) {
  const int64_t update = state_.update + 1;
  const double learning_rate = rate_of(update);
  const GradientFigures figures = updater_.update(batch, update, learning_rate);
  if (!figures.is_finite()) fail_not_finite(figures, learning_rate);
  state_.update = update;
  state_.target_tokens += figures.tokens;
  restarted_epoch_ = false;
  const std::chrono::duration<double> seconds = Clock::now() - start;
  reports_->add(batch, figures, learning_rate, seconds.count());
}

void Trainer::fail_not_finite(const GradientFigures& figures, double learning_rate) const {
  const std::string kept = saves_.has_best() ? "the best model so far is " + saves_.best_path()
                                             : "no model had been saved yet";
  fail(
      "update {}: loss is {} (learning rate {:.4g}, gradient norm {}); {}; lower "
      "train.learning_rate or train.clip_norm",
      state_.update + 1, figures.loss, learning_rate, figures.norm, kept);
}

void Trainer::after_update() {
  const TrainConfig& train = settings();
  const auto every = [this](int64_t n) { return n > 0 && state_.update % n == 0; };
  const RunPosition now = position();
  if (every(train.report_every)) reports_->report(now);
  reports_->show_progress(now);
  if (job_.validate && every(train.valid_every)) {
    validate(true);
    save_last();
  } else if (every(train.save_every)) {
    save_last();
  }
}

void Trainer::validate(bool regular) {
  reports_->clear_progress();
  ValidationReport report;
  report.update = state_.update;
  report.epoch = epoch_number();
  {
    const WeightAverage::InPlace averaged(updater_.average());
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
  report.minutes = state_.minutes = clock_.minutes();
  if (report.best) saves_.save_best(state_);
  reports_->report_validation(report, best_text_with_name(state_.saved, metric_));
  if (decayed) spdlog::info("learning rate lowered to {:.4g}", report.learning_rate);
}

void Trainer::save_last() {
  state_.minutes = clock_.minutes();
  state_.optimizer_steps = updater_.optimizer().steps();
  saves_.save_last(state_);
}

void Trainer::finish(const std::string& reason) {
  reports_->clear_progress();
  reports_->report(position());
  const bool by_signal = reason == kStoppedBySignal;
  if (saves_.last_update() != state_.update) save_last();
  if (!job_.validate) {
    saves_.save_best(state_);
  } else if (!by_signal && state_.last_validation != state_.update) {
    validate(false);
    save_last();
  }
  spdlog::info("{}{}", by_signal ? "" : "stopped: ", reason);
}

}  // namespace heed
