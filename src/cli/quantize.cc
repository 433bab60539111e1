// heed quantize: a model with 8-bit weights.
#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "base/numbers.h"
#include "cli/options.h"
#include "train/checkpoint.h"

namespace heed::cli {

int run_quantize(const Arguments& arguments) {
  std::string model, output;
  Options options("heed quantize --model M --output Q",
                  "Writes the model with its matrices as 8-bit integers and a scale per column: "
                  "about a quarter of the size, and faster to translate with. heed translate, "
                  "align and score take it like any other model.");
  options.text("model", model, "checkpoint of a trained model (best.heed)")
      .required("model")
      .text("output", output, "the model file to write")
      .required("output");
  if (!options.parse(arguments)) return 0;
  if (output == "-") fail("--output -: a model goes to a file, not to standard output: name one");
  check_not_read({"--output", output}, {{"--model", model}});
  const LoadedModel loaded = load_model(model);
  if (loaded.has_8_bit_weights())
    spdlog::warn("{} has 8-bit weights already: {} will be no smaller", model, output);
  save_quantised_model(output, loaded);
  const auto size = [](const std::string& path) {
    std::error_code unknown;  // of a pipe
    const auto bytes = std::filesystem::file_size(path, unknown);
    return unknown ? "?" : format_thousands(static_cast<int64_t>(bytes));
  };
  spdlog::info("wrote {}: {} bytes, {} has {}", output, size(output), model, size(model));
  return 0;
}

}  // namespace heed::cli
