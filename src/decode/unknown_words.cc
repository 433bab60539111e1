#include "decode/unknown_words.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "decode/alignment.h"
#include "text/word_mark.h"
#include "text/word_vocabulary.h"

namespace heed {

UnknownWords::UnknownWords(const std::string& dictionary) {
  LineReader lines(dictionary);
  for (std::string line; lines.next(line);) {
    const auto words = split_words(line);
    if (words.size() != 2)
      fail("{}:{}: needs the two words SOURCE TARGET, has {}", dictionary, lines.line_number(),
           words.size());
    dictionary_.emplace(words[0], words[1]);
  }
}

std::string UnknownWords::translate(const std::string& piece, const Vocabulary& target) const {
  const std::string word(without_word_mark(piece));
  const auto found = dictionary_.find(word);
  const std::string& translation = found == dictionary_.end() ? word : found->second;
  return has_word_mark(piece) ? target.with_mark(translation) : translation;
}

std::vector<std::string> UnknownWords::replaced(const Hypothesis& hypothesis,
                                                const std::vector<std::string>& source_pieces,
                                                const Vocabulary& target) const {
  std::vector<std::string> pieces = pieces_of(target, hypothesis.ids);
  if (source_pieces.empty()) return pieces;
  for (size_t t = 0; t < pieces.size(); ++t) {
    if (hypothesis.ids[t] != kUnknown) continue;
    const std::vector<float>& row = hypothesis.attention.at(t);
    const auto best = std::max_element(row.begin(), row.begin() + std::ssize(source_pieces));
    pieces[t] = translate(source_pieces[static_cast<size_t>(best - row.begin())], target);
  }
  return pieces;
}

}  // namespace heed
