// Words for the <unk> of a translation: what the attention says each of them translates, by a
// dictionary or as it is (Luong et al. 2015, "Addressing the rare word problem"; Jean et al.
// 2015, section 3.3).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "decode/hypothesis.h"
#include "text/vocabulary.h"

namespace heed {

class UnknownWords {
 public:
  UnknownWords() = default;
  // Lines SOURCE TARGET, one word each, parted by blanks; plain or gzip. The first of several lines
  // for a word counts. Throws UserError "PATH:LINE: ...".
  explicit UnknownWords(const std::string& dictionary);

  // The pieces of the hypothesis, each <unk> replaced through the source piece (</s> aside) with
  // the largest weight of its row. Requires attention.
  std::vector<std::string> replaced(const Hypothesis& hypothesis,
                                    const std::vector<std::string>& source_pieces,
                                    const Vocabulary& target) const;

 private:
  std::string translate(const std::string& piece, const Vocabulary& target) const;

  std::unordered_map<std::string, std::string> dictionary_;
};

}  // namespace heed
