#include "cli/decoding.h"

#include "base/error.h"
#include "base/parallel.h"
#include "tensor/kernels/device.h"

namespace heed::cli {

void MachineChoice::declare(Options& options) {
  options
      .integer("threads", threads, schema::at_least(0),
               "threads; 0: OMP_NUM_THREADS or all usable cores")
      .choice("device", device, {"auto", "cpu", "gpu"}, "where to compute")
      .choice("precision", precision, {"model", "f32", "bf16", "int8"},
              "model: int8 for one of heed quantize, else f32")
      .flag("force-precision", force_precision,
            "use bf16 or int8 even if the processor has no instructions for it");
}

void MachineChoice::prepare() const {
  set_threads(static_cast<int>(std::min<int64_t>(threads, usable_cores())));
  kernels::choose_device(device);
}

LoadedModel MachineChoice::load_one(const std::string& path) const {
  LoadedModel loaded = load_model(path, false, kernels::choose_device(device));
  const auto stored = loaded.metadata.find("precision");
  const std::string own = stored == loaded.metadata.end() ? "f32" : stored->second;
  try {
    loaded.model->parameters().set_precision(
        kernels::choose_precision(precision == "model" ? own : precision, force_precision));
  } catch (const UserError& error) {
    fail("{}: {}", path, error.what());
  }
  return loaded;
}

std::string MachineChoice::describe(const LoadedModel& loaded) const {
  return fmt::format("{} {}, {}, {}", heed::threads(), heed::threads() == 1 ? "thread" : "threads",
                     kernels::describe_device(loaded.model->device()),
                     kernels::precision_name(loaded.model->parameters().precision()));
}

DecodeConfig with_keys(const DecodeConfig& model, const KeyValues& keys) {
  Config config;
  config.decode = model;
  set_keys(config, keys);
  return config.decode;
}

Direction direction_of(const LoadedModel& loaded) {
  return {*loaded.model, *loaded.source_vocabulary, *loaded.target_vocabulary};
}

void require_attention(bool has_attention, const std::string& path, const std::string& needed_by) {
  if (has_attention) return;
  fail(
      "{}: the model has no attention (model.attention.score: none), which {} needs; train "
      "one with another score",
      path, needed_by);
}

void ModelChoice::declare(Options& options) {
  options.text("model", model, "checkpoint of a trained model (best.heed)").required("model");
  MachineChoice::declare(options);
}

LoadedModel ModelChoice::load() const {
  prepare();
  return load_one(model);
}

void AlignmentChoice::declare(Options& options) {
  options
      .text("attention", attention,
            "write attention as JSON Lines: id, source and target tokens with </s>, a row per "
            "target token, log-probability as score")
      .text("links", links,
            "write a line of links i-j (source-target, from 0) per sentence: for each target token "
            "the source token with the largest weight, never </s>")
      .number("link-threshold", link_threshold, schema::between(0, 1),
              "link every pair of at least this weight; 0: only the largest")
      .flag("words", words,
            "attention and links of words, not subwords (columns summed, rows averaged)");
}

void AlignmentChoice::check(const std::string& output, const std::vector<NamedFile>& read,
                            bool in_output) const {
  check_not_read({"--output", output}, read);
  check_not_read({"--attention", attention}, read);
  check_not_read({"--links", links}, read);
  const auto differ = [](const std::string& a, const std::string& b, const char* names) {
    if (a.empty() || a != b) return;
    throw UsageError(fmt::format("{} both go to {}: give one of them a file of its own", names,
                                 a == "-" ? std::string("standard output") : "'" + a + "'"));
  };
  differ(attention, links, "--attention and --links");
  differ(attention, output, "--attention and --output");
  differ(links, output, "--links and --output");
  if (words && !wanted() && !in_output) throw UsageError("--words needs --attention or --links");
}

AlignmentFiles::AlignmentFiles(const AlignmentChoice& choice) : choice_(choice) {
  if (!choice.attention.empty()) attention_ = std::make_unique<Output>(choice.attention);
  if (!choice.links.empty()) links_ = std::make_unique<Output>(choice.links);
}

void AlignmentFiles::use(const LoadedModel& loaded, bool has_attention, const std::string& path) {
  source_ = loaded.source_vocabulary.get();
  target_ = loaded.target_vocabulary.get();
  if (choice_.wanted()) require_attention(has_attention, path, "an alignment");
}

AlignedSentence AlignmentFiles::shown(const AlignedSentence& sentence) const {
  return choice_.words ? merge_words(sentence, *source_, *target_) : sentence;
}

void AlignmentFiles::write(const AlignedSentence& sentence) {
  const AlignedSentence as_shown = shown(sentence);
  write(as_shown, links_of(as_shown.attention, choice_.link_threshold));
}

void AlignmentFiles::write(const AlignedSentence& as_shown, const Links& links) {
  if (attention_) attention_->line(dump_line(as_shown));
  if (links_) links_->line(links_text(links));
}

void AlignmentFiles::flush() {
  if (attention_) attention_->flush();
  if (links_) links_->flush();
}

void AlignmentFiles::commit() {
  if (attention_) attention_->commit();
  if (links_) links_->commit();
}

}  // namespace heed::cli
