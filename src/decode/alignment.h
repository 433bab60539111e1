// The attention of a sentence as an alignment: its line in a dump, and words merged from pieces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "decode/hypothesis.h"
#include "text/vocabulary.h"

namespace heed {

inline constexpr const char* kEndPiece = "</s>";

// A sentence with its attention. If the model was not run on it (an empty source), all three
// lists are empty.
struct AlignedSentence {
  int64_t id = 0;                             // number of its line, from 0
  std::vector<std::string> source, target;    // pieces or words, "</s>" last
  std::vector<std::vector<float>> attention;  // [target][source], each row sums to 1
  double score = 0;                           // natural log-probability, </s> counted
};

// Of a hypothesis and the source it translates. Unknown source pieces keep their surface.
AlignedSentence aligned_sentence(int64_t id, const std::vector<std::string>& source_pieces,
                                 const std::vector<std::string>& target_pieces,
                                 const Hypothesis& hypothesis);
std::vector<std::string> pieces_of(const Vocabulary& vocabulary, const std::vector<TokenId>& ids);

// The index of the first piece of each word; "</s>" is a word of its own. Words are what spaces
// separate in the decoded text: a lone word mark belongs to the piece after it.
std::vector<size_t> word_begins(const std::vector<std::string>& pieces,
                                const Vocabulary& vocabulary);

// Merges pieces to words: attention is summed over the pieces of a source word and averaged over
// those of a target word, so that rows still sum to 1. The sentence may have no attention.
AlignedSentence merge_words(const AlignedSentence& sentence, const Vocabulary& source,
                            const Vocabulary& target);

// One line of JSON: {"id", "source", "target", "attention", "score"}, weights and score to 6
// decimals. Always valid UTF-8.
std::string dump_line(const AlignedSentence& sentence);

}  // namespace heed
