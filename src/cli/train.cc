// heed train: everything around the training loop, in the order in which it can fail: config, run
// directory, data, and only then what takes long.
#include <chrono>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "cli/options.h"
#include "cli/stop_signal.h"
#include "cli/validation.h"
#include "cli/vocabularies.h"
#include "config/schema.h"
#include "tensor/kernels/device.h"
#include "text/corpus.h"
#include "text/line_pairs.h"
#include "train/checkpoint.h"
#include "train/resume.h"
#include "train/run_folder.h"
#include "train/trainer.h"

namespace heed::cli {
namespace {

bool any(const TextFiles& files) { return !files.source.empty() || !files.tsv.empty(); }

Config effective_config(const std::string& path, const KeyValues& given) {
  Config config = read_config(path);
  set_keys(config, given);
  validate_config(config);
  require_training_keys(config, path);
  if (!any(config.data.valid)) {
    spdlog::warn(
        "data.valid is missing: no validation, no early stopping; best.heed will be the "
        "last model");
  }
  return config;
}

// Returns the precision of the products: run.precision, or f32 if that would be slower.
kernels::Precision choose_machine(const RunConfig& run) {
  set_threads(run.threads);
  const Device device = kernels::choose_device(run.device);
  const kernels::Precision precision =
      kernels::choose_precision(run.precision, run.force_precision);
  spdlog::info("{} thread{} ({}), {}; {} products; seed {}", threads(), threads() == 1 ? "" : "s",
               threading_name(), kernels::describe_device(device),
               kernels::precision_name(precision), run.seed);
  return precision;
}

// What is trained: new, or as last.heed holds it.
struct Subject {
  Vocabularies vocabularies;
  std::unique_ptr<Model> model;
};

Subject load_subject(const Config& config, const std::string& path) {
  LoadedModel loaded = load_model(path, true, kernels::choose_device(config.run.device));
  check_same_model(loaded.config, config, path);
  Vocabularies vocabularies{loaded.source_vocabulary, loaded.target_vocabulary};
  check_same_vocabularies(config.data, vocabularies, path);
  spdlog::info("{}: {} tensors, {} parameters loaded", path,
               loaded.model->parameters().parameters().size(),
               format_thousands(loaded.model->parameters().count()));
  const auto changes = changed_options(loaded.config, config);
  if (!changes.empty()) {
    spdlog::info("options that changed since the last run (the new values apply): {}",
                 fmt::join(changes, "; "));
  }
  return {std::move(vocabularies), std::move(loaded.model)};
}

Subject new_subject(const Config& config) {
  Vocabularies vocabularies = make_vocabularies(config.data);
  spdlog::info("vocabulary: {} source and {} target entries{}", vocabularies.source->size(),
               vocabularies.target->size(),
               vocabularies.source == vocabularies.target ? ", shared" : "");
  auto model = std::make_unique<Model>(config.model, vocabularies.source->size(),
                                       vocabularies.target->size(),
                                       kernels::choose_device(config.run.device));
  model->initialise(config.run.seed, true);
  spdlog::info("model: {} parameters", format_thousands(model->parameters().count()));
  return {std::move(vocabularies), std::move(model)};
}

// A pipe can be read only once, but vocabulary and corpus both need the text.
void check_not_pipe(const char* key, const std::string& path) {
  std::error_code none;
  const auto type = std::filesystem::status(path, none).type();
  if (type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::socket)
    fail("{}: {} is a pipe, and training reads its text more than once: give a file", key, path);
}

// Reports wrong line counts, missing files and surplus tabs before a vocabulary is trained for
// minutes. If none is to be trained, the training text is read only once, when it becomes ids.
void check_text(const DataConfig& data, bool trains_vocabulary) {
  check_not_pipe("data.train.source", data.train.source);
  check_not_pipe("data.train.target", data.train.target);
  check_not_pipe("data.train.tsv", data.train.tsv);
  check_not_pipe("data.valid.source", data.valid.source);
  check_not_pipe("data.valid.target", data.valid.target);
  check_not_pipe("data.valid.tsv", data.valid.tsv);
  if (trains_vocabulary) {
    std::string source, target;
    LinePairs training(data.train);
    while (training.next(source, target)) {
    }
  }
  if (any(data.valid)) read_parallel_lines(data.valid);
}

Corpus read_training_corpus(const Config& config, const Vocabularies& vocabularies) {
  CorpusReport report;
  Corpus corpus = read_corpus(config.data.train, *vocabularies.source, *vocabularies.target,
                              config.data.max_length, report, {.folder = config.run.dir});
  spdlog::info("training: {}", report.summary());
  return corpus;
}

void train(const Config& config) {
  const auto started = std::chrono::steady_clock::now();
  watch_stop_signals();
  const RunFolder folder(config.run.dir);
  const kernels::Precision precision = choose_machine(config.run);
  const std::string last = config.run.dir + "/last.heed";
  const bool resumed = std::filesystem::exists(last);
  check_text(config.data, !resumed && trains_vocabulary(config.data));
  const Subject subject = resumed ? load_subject(config, last) : new_subject(config);
  subject.model->parameters().set_precision(precision);
  const Vocabularies& vocabularies = subject.vocabularies;
  const Corpus corpus = read_training_corpus(config, vocabularies);
  write_file(config.run.dir + "/config.yaml", to_yaml(config));

  std::optional<Validation> validation;
  TrainingJob job{
      .contents = {config, *vocabularies.source, *vocabularies.target, *subject.model},
      .corpus = corpus,
      .validate = {},
      .stop_requested = stop_requested,
      .show_progress = terminal_progress(),
      .started = started,
  };
  if (any(config.data.valid)) {
    validation.emplace(config, *vocabularies.source, *vocabularies.target, *subject.model);
    job.validate = [&validation](int64_t update) { return validation->measure(update); };
  }
  catch_stop_signals();
  Trainer(job).run();
}

}  // namespace

int run_train(const Arguments& arguments) {
  std::string path;
  KeyValues given;
  Options options("heed train CONFIG.yaml [--section.key VALUE]...",
                  "Trains a model, or resumes exactly where the run directory's last.heed stopped. "
                  "Ctrl-C saves and stops; the same command resumes. Writes best.heed (for heed "
                  "translate), last.heed, log.jsonl, config.yaml and samples/.");
  options.positional("CONFIG.yaml", path, "config file; heed config --reference lists all keys")
      .required("CONFIG.yaml")
      .config_keys(given);
  if (!options.parse(arguments)) return 0;
  train(effective_config(path, given));
  return 0;
}

}  // namespace heed::cli
