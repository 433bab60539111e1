#include "text/word_vocabulary.h"

#include <fmt/ranges.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>

#include "base/error.h"
#include "text/mend.h"
#include "text/training_lines.h"

namespace heed {
namespace {

constexpr TokenId kFirstWord = 3;
constexpr std::string_view kUnknownText = "\xe2\x81\x87";  // U+2047
constexpr std::string_view kHeader = "heed words";
constexpr std::string_view kLowercaseHeader = "heed words, lowercase";

std::string to_lower(std::string_view text) {
  std::string lower;
  icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())))
      .toLower(icu::Locale::getRoot())
      .toUTF8String(lower);
  return lower;
}

std::string normalised(std::string_view line, bool lowercase) {
  const std::string mended = mend_utf8(line);
  return lowercase ? to_lower(mended) : mended;
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> words;
  size_t begin = line.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

WordVocabulary::WordVocabulary(std::vector<std::string> words, bool lowercase)
    : words_(std::move(words)), lowercase_(lowercase) {
  for (size_t i = 0; i < words_.size(); ++i)
    ids_.emplace(words_[i], kFirstWord + static_cast<TokenId>(i));
  check(ids_.size() == words_.size(), "[WordVocabulary] words must be distinct");
}

std::shared_ptr<const Vocabulary> WordVocabulary::parse(const std::string& bytes,
                                                        const std::string& name) {
  std::vector<std::string> words;
  std::unordered_map<std::string, int64_t> lines;
  bool lowercase = false;
  int64_t number = 0;
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string line = bytes.substr(begin, end - begin);
    begin = end + 1;
    if (++number == 1) {
      if (line != kHeader && line != kLowercaseHeader)
        fail("{}: not a word vocabulary (its first line must be '{}')", name, kHeader);
      lowercase = line == kLowercaseHeader;
      continue;
    }
    if (split_words(line).size() != 1 || split_words(line)[0].size() != line.size())
      fail("{}:{}: a word vocabulary has exactly one word per line", name, number);
    const auto [earlier, is_new] = lines.emplace(line, number);
    if (!is_new) fail("{}:{}: '{}' is already in line {}", name, number, line, earlier->second);
    words.push_back(line);
  }
  if (number == 0) fail("{}: not a word vocabulary (it is empty)", name);
  return std::make_shared<WordVocabulary>(std::move(words), lowercase);
}

std::shared_ptr<const Vocabulary> WordVocabulary::train(const std::vector<std::string>& files,
                                                        const VocabularyOptions& options) {
  std::unordered_map<std::string, int64_t> counts;
  TrainingLines lines(files, options.tsv_column);
  for (std::string line; lines.next(line);) {
    const std::string text = normalised(line, options.lowercase);
    for (const std::string_view word : split_words(text)) ++counts[std::string(word)];
  }
  if (counts.empty()) fail("{}: no line has a word to make a vocabulary of", lines.names());
  std::vector<std::pair<std::string, int64_t>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (options.size <= kFirstWord)
    fail("{}: {} leaves no room for a word; use at least {}", options.size_name, options.size,
         kFirstWord + 1);
  const auto room = static_cast<size_t>(options.size - kFirstWord);
  std::vector<std::string> words;
  for (size_t i = 0; i < std::min(room, sorted.size()); ++i) words.push_back(sorted[i].first);
  return std::make_shared<WordVocabulary>(std::move(words), options.lowercase);
}

int64_t WordVocabulary::size() const { return kFirstWord + static_cast<int64_t>(words_.size()); }

std::string WordVocabulary::normalise(std::string_view line) const {
  return normalised(line, lowercase_);
}

TokenId WordVocabulary::id_of(std::string_view word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? kUnknown : found->second;
}

std::vector<TokenId> WordVocabulary::encode(std::string_view line) const {
  const std::string text = normalise(line);
  std::vector<TokenId> ids;
  for (const std::string_view word : split_words(text)) ids.push_back(id_of(word));
  return ids;
}

Tokens WordVocabulary::tokenize(std::string_view line) const {
  const std::string text = normalise(line);
  Tokens tokens;
  for (const std::string_view word : split_words(text)) {
    tokens.ids.push_back(id_of(word));
    tokens.pieces.emplace_back(word);
  }
  return tokens;
}

std::string WordVocabulary::decode(std::span<const TokenId> ids) const {
  std::string text;
  for (const TokenId id : ids) {
    if (id == kStart || id == kEnd) continue;
    if (!text.empty()) text += ' ';
    text += id == kUnknown ? std::string(kUnknownText) : piece(id);
  }
  return text;
}

std::string WordVocabulary::decode_pieces(const std::vector<std::string>& pieces) const {
  return fmt::format("{}", fmt::join(pieces, " "));
}

std::string WordVocabulary::piece(TokenId id) const {
  check(id >= 0 && id < size(), "[piece] id must be below {}. Received {}", size(), id);
  constexpr const char* kControl[] = {"<unk>", "<s>", "</s>"};
  return id < kFirstWord ? kControl[id] : words_[static_cast<size_t>(id - kFirstWord)];
}

std::string WordVocabulary::serialize() const {
  std::string bytes(lowercase_ ? kLowercaseHeader : kHeader);
  bytes += '\n';
  for (const std::string& word : words_) bytes.append(word).push_back('\n');
  return bytes;
}

}  // namespace heed
