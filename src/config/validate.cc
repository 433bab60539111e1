// Rules that touch several keys. Each message names the keys and what to change.
#include "base/error.h"
#include "base/numbers.h"
#include "config/schema.h"

namespace heed {
namespace {

void check_files(const std::string& key, const TextFiles& files) {
  if (!files.tsv.empty() && !(files.source.empty() && files.target.empty())) {
    fail("{0}.tsv and {0}.source/target are both given: give one tsv file or two files", key);
  }
  if (files.source.empty() != files.target.empty()) {
    fail("{0}.{1} is given without {0}.{2}: give both sides", key,
         files.source.empty() ? "target" : "source", files.source.empty() ? "source" : "target");
  }
}

bool any(const TextFiles& files) { return !files.source.empty() || !files.tsv.empty(); }

void check_vocabulary(const DataConfig& data) {
  const bool sides = !data.source_vocab.empty() || !data.target_vocab.empty();
  if (!data.vocab.empty() && sides) {
    fail(
        "data.vocab and data.source_vocab/target_vocab are both given: give one for both sides or "
        "one a side");
  }
  if (data.source_vocab.empty() != data.target_vocab.empty()) {
    fail("data.source_vocab and data.target_vocab belong together: give both");
  }
  if (sides && data.shared_vocab) {
    fail("data.source_vocab and data.target_vocab need data.shared_vocab: false");
  }
  if (!data.vocab.empty() && !data.shared_vocab) {
    fail("data.vocab serves both sides and needs data.shared_vocab: true");
  }
  if (data.tokenizer == "word" && (sides || !data.vocab.empty())) {
    fail(
        "data.tokenizer word makes its vocabulary from the training text: leave out data.vocab, "
        "data.source_vocab and data.target_vocab, or use data.tokenizer sentencepiece");
  }
}

void check_tying(const Config& config) {
  const ModelConfig& model = config.model;
  if (model.tied_embeddings == "none") return;
  if (model.tied_embeddings == "all" && !config.data.shared_vocab) {
    fail("model.tied_embeddings all needs data.shared_vocab: true (or use target)");
  }
  if (model.decoder.readout != 0 && model.decoder.readout != model.embedding) {
    fail(
        "model.decoder.readout is {}, model.embedding is {}: with model.tied_embeddings {} they "
        "must be equal (or leave readout 0)",
        model.decoder.readout, model.embedding, model.tied_embeddings);
  }
}

void check_attention(const ModelConfig& model) {
  const std::string& score = model.attention.score;
  if (score != "dot" && score != "scaled_dot") return;
  const int states = model.encoder.hidden * (model.encoder.bidirectional ? 2 : 1);
  if (model.decoder.hidden != states) {
    fail(
        "model.attention.score {} needs model.decoder.hidden ({}) equal to the encoder's states "
        "(model.encoder.hidden {}{} = {}): change a size or use general, additive or concat",
        score, model.decoder.hidden, model.encoder.hidden,
        model.encoder.bidirectional ? " x 2 directions" : " x 1 direction", states);
  }
}

void check_training(const TrainConfig& train, bool has_validation, bool has_training) {
  if (train.min_learning_rate > train.learning_rate) {
    fail("train.min_learning_rate {} is above train.learning_rate {}",
         format_real(train.min_learning_rate), format_real(train.learning_rate));
  }
  if (train.schedule == "inverse_sqrt" && train.warmup == 0) {
    fail("train.schedule inverse_sqrt needs train.warmup >= 1");
  }
  if (train.epochs == 0 && train.updates == 0 && train.minutes == 0 && train.patience == 0) {
    fail(
        "train.epochs, train.updates, train.minutes and train.patience are all 0: the run would "
        "never end; set one");
  }
  if (train.schedule == "linear" && train.epochs == 0 && train.updates == 0) {
    fail("train.schedule linear falls to 0 at train.epochs or train.updates: give one of them");
  }
  if (train.schedule == "plateau" && has_training && !has_validation) {
    fail(
        "train.schedule plateau needs validation text: give data.valid.source and "
        "data.valid.target");
  }
}

}  // namespace

void validate_config(const Config& config) {
  check_files("data.train", config.data.train);
  check_files("data.valid", config.data.valid);
  check_vocabulary(config.data);
  check_tying(config);
  check_attention(config.model);
  check_training(config.train, any(config.data.valid), any(config.data.train));
}

void require_training_keys(const Config& config, const std::string& path) {
  if (config.run.dir.empty()) {
    fail("{}: run.dir is missing: name the folder this run is kept in", path);
  }
  if (!any(config.data.train)) {
    fail(
        "{}: data.train is missing: give data.train.source and data.train.target, or "
        "data.train.tsv",
        path);
  }
}

}  // namespace heed
