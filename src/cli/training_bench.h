// Complete training updates, timed: what `heed bench` measures.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "autograd/profile.h"
#include "cli/bench_data.h"
#include "nn/model.h"
#include "text/batch_reader.h"
#include "train/gradients.h"
#include "train/optimizer.h"
#include "train/weight_average.h"

namespace heed::cli {

// The trainer's updates: batches made ahead, gradients, norm, clipping, optimizer, packing.
class TrainingBench {
 public:
  struct Figures {
    double seconds = 0;
    double operations = 0;  // of the model's matrix products: Model::training_flops
    int64_t tokens = 0;     // real target tokens with </s>
    int64_t updates = 0;
    std::map<std::string, OpCost> costs;  // of these very updates; empty without a profile
    Figures& operator+=(const Figures& other);
  };

  TrainingBench(const Config& config, BenchData data);

  // Updates until `seconds` have passed, at least one. With `profile` each op is timed into
  // `costs`: two looks at the clock an op, too little to be seen in an update's time.
  Figures run(double seconds, bool profile = false);
  Model& model() { return model_; }
  kernels::Precision precision() { return model_.parameters().precision(); }
  const std::string& data() const { return data_.description; }

 private:
  void update(Figures& figures, bool profile);
  GradientFigures learn(const Batch& batch);

  Config config_;
  BenchData data_;
  Model model_;
  BatchReader batches_;
  std::unique_ptr<Optimizer> optimizer_;
  std::optional<WeightAverage> average_;
  Arena arena_;
  int64_t updates_ = 0;
};

}  // namespace heed::cli
