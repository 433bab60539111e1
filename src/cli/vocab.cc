// heed vocab: trains a SentencePiece model on text files.
#include "base/files.h"
#include "base/log.h"
#include "cli/options.h"
#include "text/make_vocabulary.h"

namespace heed::cli {

int run_vocab(const Arguments& arguments) {
  std::vector<std::string> inputs;
  std::string output;
  VocabularyOptions settings;
  settings.size_name = "--size";
  Options options("heed vocab --input F... --size N --output M.model [--type unigram|bpe]",
                  "Trains a SentencePiece model on the lines of all files (plain or gzip) and "
                  "writes it. heed train does this by itself if a config names no vocabulary.");
  options.list("input", inputs, "text, one sentence per line; give both sides for a shared model")
      .required("input")
      .integer("size", settings.size, schema::at_least(4), "pieces")
      .text("output", output, "the model file to write")
      .required("output")
      .choice("type", settings.type, {"unigram", "bpe"}, "kind of model")
      .flag("lowercase", settings.lowercase, "lowercase the text, in later use of the model too");
  if (!options.parse(arguments)) return 0;
  for (const std::string& input : inputs)
    check_not_read({"--output", output}, {{"--input", input}});
  const auto vocabulary = train_vocabulary(inputs, settings);
  write_file(output, vocabulary->serialize());
  spdlog::info("wrote {}: {} pieces", output, vocabulary->size());
  return 0;
}

}  // namespace heed::cli
