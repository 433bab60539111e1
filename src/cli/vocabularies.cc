#include "cli/vocabularies.h"

#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "text/make_vocabulary.h"

namespace heed::cli {
namespace {

// side 1: source, 2: target, 0: both.
std::shared_ptr<const Vocabulary> train_on(const DataConfig& data, int side) {
  VocabularyOptions options;
  options.kind = data.tokenizer;
  options.type = data.vocab_type;
  options.size = data.vocab_size;
  options.lowercase = data.lowercase;
  std::vector<std::string> files;
  if (!data.train.tsv.empty()) {
    files.push_back(data.train.tsv);
    options.tsv_column = side;
  } else {
    if (side != 2) files.push_back(data.train.source);
    if (side != 1) files.push_back(data.train.target);
  }
  spdlog::info("making a {} vocabulary from {}", data.tokenizer, fmt::join(files, " and "));
  return train_vocabulary(files, options);
}

void check_same(const std::string& file, const char* key, const Vocabulary& used,
                const std::string& path) {
  if (file.empty() || load_sentencepiece(file)->serialize() == used.serialize()) return;
  fail(
      "{}: {}: {} is not the vocabulary there: this run can't go on with another one; set it back "
      "or choose another run.dir",
      path, key, file);
}

}  // namespace

bool trains_vocabulary(const DataConfig& data) {
  return data.vocab.empty() && data.source_vocab.empty();
}

Vocabularies make_vocabularies(const DataConfig& data) {
  if (!data.source_vocab.empty()) {
    return {load_sentencepiece(data.source_vocab), load_sentencepiece(data.target_vocab)};
  }
  if (!data.shared_vocab) return {train_on(data, 1), train_on(data, 2)};
  const auto shared = data.vocab.empty() ? train_on(data, 0) : load_sentencepiece(data.vocab);
  return {shared, shared};
}

void check_same_vocabularies(const DataConfig& data, const Vocabularies& used,
                             const std::string& path) {
  check_same(data.vocab, "data.vocab", *used.source, path);
  check_same(data.source_vocab, "data.source_vocab", *used.source, path);
  check_same(data.target_vocab, "data.target_vocab", *used.target, path);
}

}  // namespace heed::cli
