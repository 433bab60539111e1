#include "text/make_vocabulary.h"

#include "base/error.h"
#include "base/files.h"
#include "text/sentencepiece_vocabulary.h"
#include "text/word_vocabulary.h"

namespace heed {

std::shared_ptr<const Vocabulary> make_vocabulary(const std::string& kind, const std::string& bytes,
                                                  const std::string& name) {
  if (kind == "sentencepiece") return std::make_shared<SentencePieceVocabulary>(bytes, name);
  if (kind == "word") return WordVocabulary::parse(bytes, name);
  fail("{}: unknown kind of vocabulary '{}' (sentencepiece or word)", name, kind);
}

std::shared_ptr<const Vocabulary> load_sentencepiece(const std::string& path) {
  return make_vocabulary("sentencepiece", read_file(path), path);
}

std::shared_ptr<const Vocabulary> train_vocabulary(const std::vector<std::string>& files,
                                                   const VocabularyOptions& options) {
  check(!files.empty(), "[train_vocabulary] needs at least one file");
  if (options.kind == "word") return WordVocabulary::train(files, options);
  if (options.kind != "sentencepiece")
    fail("unknown kind of vocabulary '{}' (sentencepiece or word)", options.kind);
  if (options.type != "unigram" && options.type != "bpe")
    fail("unknown type of SentencePiece vocabulary '{}' (unigram or bpe)", options.type);
  return SentencePieceVocabulary::train(files, options);
}

}  // namespace heed
