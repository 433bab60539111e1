#include "decode/alignment.h"

#include <algorithm>

#include "decode/json.h"

namespace heed {
namespace {

// Index of the word of each piece.
std::vector<size_t> word_of_piece(const std::vector<size_t>& begins, size_t pieces) {
  std::vector<size_t> words;
  size_t word = 0;
  for (size_t i = 0; i < pieces; ++i) {
    while (word + 1 < begins.size() && begins[word + 1] <= i) ++word;
    words.push_back(word);
  }
  return words;
}

std::vector<std::string> join_pieces(const std::vector<std::string>& pieces,
                                     const std::vector<size_t>& word_of, size_t words,
                                     const Vocabulary& vocabulary) {
  std::vector<std::string> joined(words);
  for (size_t i = 0; i < pieces.size(); ++i)
    joined[word_of[i]] += vocabulary.without_mark(pieces[i]);
  return joined;
}

}  // namespace

AlignedSentence aligned_sentence(int64_t id, const std::vector<std::string>& source_pieces,
                                 const std::vector<std::string>& target_pieces,
                                 const Hypothesis& hypothesis) {
  AlignedSentence sentence{id, {}, {}, hypothesis.attention, hypothesis.log_probability};
  if (hypothesis.attention.empty()) return sentence;
  sentence.source = source_pieces;
  sentence.target = target_pieces;
  sentence.source.emplace_back(kEndPiece);
  sentence.target.emplace_back(kEndPiece);
  return sentence;
}

std::vector<std::string> pieces_of(const Vocabulary& vocabulary, const std::vector<TokenId>& ids) {
  std::vector<std::string> pieces;
  for (const TokenId id : ids) pieces.push_back(vocabulary.piece(id));
  return pieces;
}

std::vector<size_t> word_begins(const std::vector<std::string>& pieces,
                                const Vocabulary& vocabulary) {
  std::vector<size_t> begins;
  bool has_text = true;  // the word so far is more than a mark
  for (size_t i = 0; i < pieces.size(); ++i) {
    const bool last = i + 1 == pieces.size();                       // </s>
    if (last && !has_text && begins.size() > 1) begins.pop_back();  // a mark with no word after it
    if (begins.empty() || last || (has_text && vocabulary.begins_word(pieces[i]))) {
      begins.push_back(i);
      has_text = false;
    }
    has_text = has_text || !vocabulary.without_mark(pieces[i]).empty();
  }
  return begins;
}

AlignedSentence merge_words(const AlignedSentence& sentence, const Vocabulary& source,
                            const Vocabulary& target) {
  const std::vector<size_t> source_begins = word_begins(sentence.source, source);
  const std::vector<size_t> target_begins = word_begins(sentence.target, target);
  const std::vector<size_t> source_word = word_of_piece(source_begins, sentence.source.size());
  const std::vector<size_t> target_word = word_of_piece(target_begins, sentence.target.size());
  AlignedSentence merged{sentence.id, {}, {}, {}, sentence.score};
  merged.source = join_pieces(sentence.source, source_word, source_begins.size(), source);
  merged.target = join_pieces(sentence.target, target_word, target_begins.size(), target);
  if (sentence.attention.empty()) return merged;
  merged.attention.assign(target_begins.size(), std::vector<float>(source_begins.size(), 0.0F));
  for (size_t t = 0; t < sentence.target.size(); ++t) {
    const size_t word = target_word[t];
    const size_t end =
        word + 1 < target_begins.size() ? target_begins[word + 1] : sentence.target.size();
    const float share = 1.0F / static_cast<float>(end - target_begins[word]);
    for (size_t s = 0; s < sentence.source.size(); ++s)
      merged.attention[word][source_word[s]] += share * sentence.attention[t][s];
  }
  return merged;
}

std::string dump_line(const AlignedSentence& sentence) {
  using Json = nlohmann::ordered_json;
  return json_line({{"id", sentence.id},
                    {"source", Json(sentence.source)},
                    {"target", Json(sentence.target)},
                    {"attention", attention_json(sentence.attention)},
                    {"score", to_six_decimals(sentence.score)}});
}

}  // namespace heed
