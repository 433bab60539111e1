// Vocabularies from their bytes, from files, and from text.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

// From Vocabulary::serialize() of that kind. Throws UserError naming `name` if the bytes are
// something else: "`name`: not a SentencePiece model ...".
std::shared_ptr<const Vocabulary> make_vocabulary(const std::string& kind, const std::string& bytes,
                                                  const std::string& name);
// A SentencePiece .model file. Throws UserError for a missing file, or one that is something else.
std::shared_ptr<const Vocabulary> load_sentencepiece(const std::string& path);

// Trains on the lines of all files (plain or gzip). The same files and options give the same
// vocabulary. A text too small for options.size pieces gives the largest vocabulary it can, with a
// warning. Throws UserError if no line can be used.
std::shared_ptr<const Vocabulary> train_vocabulary(const std::vector<std::string>& files,
                                                   const VocabularyOptions& options);

}  // namespace heed
