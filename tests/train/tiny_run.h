// A training run small enough for a unit test: copy a sequence of up to six letters of an
// alphabet of five.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/random.h"
#include "nn/model.h"
#include "support/temp_dir.h"
#include "tensor/kernels/device.h"
#include "text/corpus.h"
#include "text/make_vocabulary.h"
#include "train/checkpoint.h"
#include "train/trainer.h"

namespace heed::test {

class TinyRun {
 public:
  TinyRun() {
    write_file(folder_.path() + "/words", "a b c d e\n");
    VocabularyOptions options;
    options.kind = "word";
    vocabulary = train_vocabulary({folder_.path() + "/words"}, options);
    config.run.dir = folder_.path();
    config.data.tokenizer = "word";
    config.model.embedding = 6;
    config.model.encoder.hidden = 5;
    config.model.decoder.hidden = 7;
    config.model.attention.size = 4;
    config.train.batch_sentences = 4;
    config.train.pool_batches = 2;
    config.train.learning_rate = 0.01;
    config.train.dropout = {0.1, 0.1, 0.1, 0.1};
    config.train.epochs = 0;
    config.train.valid_every = 4;
    config.train.patience = 0;
    corpus = make_corpus(20, 1);
  }

  Corpus make_corpus(int pairs, uint64_t seed) const {
    Corpus made;
    Random random(seed);
    for (int i = 0; i < pairs; ++i) {
      std::vector<TokenId> ids(1 + random.below(6));
      for (TokenId& id : ids) id = static_cast<TokenId>(kEnd + 1 + random.below(5));
      made.add(ids, ids);
    }
    return made;
  }

  // A fresh model, or the one of last.heed if the run has begun.
  void load() {
    const std::string last = path("last.heed");
    if (std::filesystem::exists(last)) {
      model = load_model(last, true).model;
    } else {
      model = std::make_unique<Model>(config.model, vocabulary->size(), vocabulary->size());
      model->initialise(config.run.seed, true);
    }
    model->parameters().set_precision(
        kernels::choose_precision(config.run.precision, config.run.force_precision));
  }

  CheckpointContents contents() { return {config, *vocabulary, *vocabulary, *model}; }
  std::string path(const std::string& name) const { return config.run.dir + "/" + name; }

  // Loads and trains until a limit. Validation number i gives bleu[i]; later ones give the last.
  std::string train(const std::vector<double>& bleu) {
    load();
    TrainingJob job{contents(), corpus, {}, stop_requested, false, started};
    if (!bleu.empty()) {
      job.validate = [bleu, this](int64_t) {
        const size_t i = std::min(validations++, bleu.size() - 1);
        ValidationFigures figures;
        figures.bleu = bleu[i];
        figures.cross_entropy = 1 - bleu[i] / 100;
        return figures;
      };
    }
    Trainer trainer(job);
    const std::string reason = trainer.run();
    state = trainer.state();
    return reason;
  }

  Config config;
  std::shared_ptr<const Vocabulary> vocabulary;
  Corpus corpus;
  std::unique_ptr<Model> model;
  std::function<bool()> stop_requested;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  size_t validations = 0;
  TrainingState state;  // after train()

 private:
  TempDir folder_;
};

}  // namespace heed::test
