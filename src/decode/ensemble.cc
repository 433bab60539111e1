#include "decode/ensemble.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "tensor/kernels/kernels.h"

namespace heed {
namespace {

using Sessions = std::vector<std::unique_ptr<DecoderSession>>;

class EnsembleSession : public DecoderSession {
 public:
  EnsembleSession(Sessions sessions, std::vector<double> weights, Mixture mixture)
      : sessions_(std::move(sessions)), weights_(std::move(weights)), mixture_(mixture) {}

  int64_t source_length() const override {
    int64_t most = 0;  // a model without attention keeps none
    for (const auto& session : sessions_) most = std::max(most, session->source_length());
    return most;
  }

  // The results of the first session are ours until its next step, so the others are mixed in
  // there.
  StepResult step(std::span<const TokenId> previous) override {
    StepResult mixed = sessions_[0]->step(previous);
    double weight = weights_[0], looking = mixed.attention.empty() ? 0 : weights_[0];
    for (size_t i = 1; i < sessions_.size(); ++i) {
      const StepResult next = sessions_[i]->step(previous);
      weight += weights_[i];
      mix(weights_[i] / weight, next.log_probabilities, mixed.log_probabilities);
      if (next.attention.empty()) continue;
      looking += weights_[i];
      if (mixed.attention.empty())
        mixed.attention = next.attention;
      else
        kernels::move_towards(static_cast<Real>(weights_[i] / looking), next.attention,
                              mixed.attention);
    }
    return mixed;
  }

  void reorder(std::span<const int32_t> from, std::span<const int32_t> counts) override {
    for (const auto& session : sessions_) session->reorder(from, counts);
  }

 private:
  void mix(double share, const Tensor& x, const Tensor& y) const {
    if (mixture_ == Mixture::probability)
      kernels::mix_in_log(static_cast<Real>(share), x, y);
    else
      kernels::move_towards(static_cast<Real>(share), x, y);
  }

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

}  // namespace heed
