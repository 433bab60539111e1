// What the attention of a sentence says about which word translates which: the dump, words out of
// subwords, and links.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "decode/hypothesis.h"
#include "text/vocabulary.h"

namespace heed {

inline constexpr const char* kEndPiece = "</s>";

// A sentence with its attention. For a sentence that the model was not run on (an empty source) all
// three lists are empty.
struct AlignedSentence {
  int64_t id = 0;                             // number of its line, from 0
  std::vector<std::string> source, target;    // pieces or words, "</s>" last
  std::vector<std::vector<float>> attention;  // [target][source], each row sums to 1
  double score = 0;                           // natural log-probability, </s> counted
};

// Pieces of a hypothesis and of the source it translates. Surfaces of unknown source pieces are
// kept.
AlignedSentence aligned_sentence(int64_t id, const std::vector<std::string>& source_pieces,
                                 const std::vector<std::string>& target_pieces,
                                 const Hypothesis& hypothesis);
std::vector<std::string> pieces_of(const Vocabulary& vocabulary, const std::vector<TokenId>& ids);

// The first piece of each word, in order; "</s>" is a word of its own. The words are those that
// spaces part in the decoded text: a lone word mark (U+2581) goes with the piece after it.
std::vector<size_t> word_begins(const std::vector<std::string>& pieces,
                                const Vocabulary& vocabulary);

// Pieces merged to words: attention is summed over the pieces of a source word and averaged over
// those of a target word, so that rows still sum to 1. A sentence may lack its attention.
AlignedSentence merge_words(const AlignedSentence& sentence, const Vocabulary& source,
                            const Vocabulary& target);

// One line of JSON: {"id", "source", "target", "attention", "score"}, weights and score to 6
// decimals. Always valid UTF-8.
std::string dump_line(const AlignedSentence& sentence);

}  // namespace heed
