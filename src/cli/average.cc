// heed average: the mean of several checkpoints of one run as a model.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "cli/options.h"
#include "config/schema.h"
#include "tensor/kernels/kernels.h"
#include "train/checkpoint.h"

namespace heed::cli {
namespace {

// Models can be averaged if each parameter means the same in all: the same structure, the same
// vocabularies, and weights that come from one training.
void check_same(const LoadedModel& first, const LoadedModel& other, const std::string& first_path,
                const std::string& path) {
  if (first.config.run.seed != other.config.run.seed)
    fail(
        "{}: its seed is {}, that of {} is {}: only checkpoints of one run have a mean; translate "
        "with both as an ensemble: heed translate --model {} {}",
        path, other.config.run.seed, first_path, first.config.run.seed, first_path, path);
  for (const Key& key : config_keys()) {
    const std::string expected = key.get(first.config), found = key.get(other.config);
    if (key.name.starts_with("model.") && expected != found)
      fail("{}: {} is {} there and {} in {}: only models of one kind have a mean", path, key.name,
           found, expected, first_path);
  }
  const auto same = [](const Vocabulary& a, const Vocabulary& b) {
    return std::string_view(a.kind()) == b.kind() && a.serialize() == b.serialize();
  };
  if (!same(*first.source_vocabulary, *other.source_vocabulary) ||
      !same(*first.target_vocabulary, *other.target_vocabulary))
    fail("{}: its vocabulary is not that of {}: only checkpoints of one run have a mean", path,
         first_path);
}

LoadedModel load_for_mean(const std::string& path) {
  LoadedModel loaded = load_model(path);
  if (loaded.has_8_bit_weights())
    spdlog::warn(
        "{} has 8-bit weights: the mean takes their rounding over; the checkpoint it was "
        "made from has none",
        path);
  return loaded;
}

// Two files at least; one of them may come again, to count for more.
void check_several(const std::vector<std::string>& paths) {
  const auto is_first = [&](const std::string& path) {
    std::error_code none;
    return path == paths[0] || std::filesystem::equivalent(path, paths[0], none);
  };
  if (std::all_of(paths.begin(), paths.end(), is_first))
    throw UsageError(fmt::format(
        "{} is the only model: a mean takes two checkpoints of one run or more", paths[0]));
}

}  // namespace

int run_average(const Arguments& arguments) {
  std::vector<std::string> paths;
  std::string output;
  Options options(
      "heed average A.heed B.heed... --output M",
      "Writes the mean of the weights of several checkpoints of one run (best.heed, copies of "
      "last.heed), which is often better than each of them. Models of different seeds are refused: "
      "use them as an ensemble, heed translate --model A B.");
  options.positionals("model", paths, "checkpoints")
      .required("model")
      .text("output", output, "the model file to write")
      .required("output");
  if (!options.parse(arguments)) return 0;
  if (output == "-") fail("--output -: a model goes to a file, not to standard output: name one");
  std::vector<NamedFile> read;
  for (const std::string& path : paths) read.push_back({"the model", path});
  check_not_read({"--output", output}, read);
  check_several(paths);
  const LoadedModel mean = load_for_mean(paths[0]);
  std::vector<MeanSource> sources = {mean_source(paths[0], mean)};
  for (size_t i = 1; i < paths.size(); ++i) {
    const LoadedModel next = load_for_mean(paths[i]);
    check_same(mean, next, paths[0], paths[i]);
    sources.push_back(mean_source(paths[i], next));
    kernels::move_towards(static_cast<Real>(1 / static_cast<double>(i + 1)),
                          next.model->parameters().values(), mean.model->parameters().values());
  }
  save_mean(output, mean, sources);
  spdlog::info("wrote {}: the mean of {}", output, fmt::join(paths, ", "));
  return 0;
}

}  // namespace heed::cli
