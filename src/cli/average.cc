// heed average: the mean of several checkpoints of one run as a model.
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/log.h"
#include "cli/options.h"
#include "config/schema.h"
#include "tensor/kernels/kernels.h"
#include "train/checkpoint.h"

namespace heed::cli {
namespace {

// Models can be averaged where each parameter means the same in all: the same structure, the same
// vocabularies, and weights that come from one training.
void check_same(const LoadedModel& first, const LoadedModel& other, const std::string& first_path,
                const std::string& path) {
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

}  // namespace

int run_average(const Arguments& arguments) {
  std::vector<std::string> paths;
  std::string output;
  Options options("heed average A.heed B.heed... --output M",
                  "Writes the mean of the weights of several checkpoints of one run (best.heed, "
                  "copies of last.heed): often better\nthan each of them. Not for models of "
                  "different seeds: those translate together with heed translate --model A B.");
  options.positionals("model", paths, "checkpoints")
      .required("model")
      .text("output", output, "the model file to write")
      .required("output");
  if (!options.parse(arguments)) return 0;
  if (output == "-") fail("--output -: a model goes to a file, not to standard output: name one");
  std::vector<NamedFile> read;
  for (const std::string& path : paths) read.push_back({"the model", path});
  check_not_read({"--output", output}, read);
  const LoadedModel mean = load_model(paths[0]);
  for (size_t i = 1; i < paths.size(); ++i) {
    const LoadedModel next = load_model(paths[i]);
    check_same(mean, next, paths[0], paths[i]);
    kernels::move_towards(static_cast<Real>(1 / static_cast<double>(i + 1)),
                          next.model->parameters().values(), mean.model->parameters().values());
  }
  save_loaded_model(output, mean);
  spdlog::info("wrote {}: the mean of {}", output, fmt::join(paths, ", "));
  return 0;
}

}  // namespace heed::cli
