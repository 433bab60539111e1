#include "decode/ensemble.h"

#include <algorithm>

#include "base/error.h"
#include "tensor/kernels/kernels.h"

namespace heed {
namespace {

using Sessions = std::vector<std::unique_ptr<DecoderSession>>;

// The weighted mean of what models give for the same tokens. It overwrites what the first gives.
class Mean {
 public:
  Mean(Mixture mixture, double weight, const Tensor& log_probabilities, const Tensor& attention)
      : mixture_(mixture),
        weight_(weight),
        looking_(attention.empty() ? 0 : weight),
        log_probabilities_(log_probabilities),
        attention_(attention) {}

  // What the next model gives, in the same shapes; attention is empty for a model without any.
  void add(double weight, const Tensor& log_probabilities, const Tensor& attention) {
    weight_ += weight;
    const auto share = static_cast<Real>(weight / weight_);
    if (mixture_ == Mixture::probability)
      kernels::mix_in_log(share, log_probabilities, log_probabilities_);
    else
      kernels::move_towards(share, log_probabilities, log_probabilities_);
    if (attention.empty()) return;
    looking_ += weight;
    if (attention_.empty())
      attention_ = attention;
    else
      kernels::move_towards(static_cast<Real>(weight / looking_), attention, attention_);
  }

  const Tensor& log_probabilities() const { return log_probabilities_; }
  const Tensor& attention() const { return attention_; }

 private:
  Mixture mixture_;
  double weight_, looking_;  // of the models so far, and of those with attention
  Tensor log_probabilities_, attention_;
};

class EnsembleSession : public DecoderSession {
 public:
  EnsembleSession(Sessions sessions, std::vector<double> weights, Mixture mixture)
      : sessions_(std::move(sessions)), weights_(std::move(weights)), mixture_(mixture) {}

  // The results of the first session stay valid until its next step, so the others are
  // mixed into them.
  StepResult step(std::span<const TokenId> previous) override {
    const StepResult first = sessions_[0]->step(previous);
    Mean mean(mixture_, weights_[0], first.log_probabilities, first.attention);
    for (size_t i = 1; i < sessions_.size(); ++i) {
      const StepResult next = sessions_[i]->step(previous);
      mean.add(weights_[i], next.log_probabilities, next.attention);
    }
    return {mean.log_probabilities(), mean.attention()};
  }

  void reorder(std::span<const int32_t> from, std::span<const int32_t> counts) override {
    for (const auto& session : sessions_) session->reorder(from, counts);
  }

 private:
  Sessions sessions_;
  std::vector<double> weights_;
  Mixture mixture_;
};

}  // namespace

Ensemble::Ensemble(std::vector<Model*> models, std::vector<double> weights, Mixture mixture)
    : models_(std::move(models)), weights_(std::move(weights)), mixture_(mixture) {
  check(!models_.empty() && models_.size() == weights_.size(),
        "[Ensemble] a weight for each model. Received {} models, {} weights", models_.size(),
        weights_.size());
  check(std::all_of(weights_.begin(), weights_.end(), [](double w) { return w > 0; }),
        "[Ensemble] every weight must be above 0");
}

bool Ensemble::has_attention() const {
  return std::any_of(models_.begin(), models_.end(),
                     [](const Model* model) { return model->has_attention(); });
}

void Ensemble::tabulate_words() const {
  for (Model* model : models_) model->tabulate_words();
}

std::unique_ptr<DecoderSession> Ensemble::start(const Batch& batch,
                                                std::span<const Shortlist> shortlists) const {
  if (models_.size() == 1) return models_[0]->start(batch, shortlists);
  Sessions sessions;
  for (Model* model : models_) sessions.push_back(model->start(batch, shortlists));
  return std::make_unique<EnsembleSession>(std::move(sessions), weights_, mixture_);
}

Forced Ensemble::force(Tape& tape, const Batch& batch) const {
  const Forced first = models_[0]->force(tape, batch);
  Mean mean(mixture_, weights_[0], first.token_log_probability, first.attention);
  for (size_t i = 1; i < models_.size(); ++i) {
    const Forced next = models_[i]->force(tape, batch);
    mean.add(weights_[i], next.token_log_probability, next.attention);
  }
  return {mean.log_probabilities(), mean.attention()};
}

}  // namespace heed
