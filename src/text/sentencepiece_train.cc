// Training of a SentencePiece model in memory: no file is written.
#include <sentencepiece_trainer.h>
#include <spdlog/spdlog.h>
#include <unicode/uchar.h>
#include <utf8.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "base/numbers.h"
#include "text/line_sample.h"
#include "text/mend.h"
#include "text/sentencepiece_vocabulary.h"
#include "text/training_lines.h"
#include "text/word_mark.h"

namespace heed {
namespace {

// True if something of the line is left after SentencePiece's normalisation. If nothing is left of
// a whole text, SentencePiece aborts the program.
bool has_visible_character(const std::string& line) {
  constexpr uint32_t kVisible = U_GC_L_MASK | U_GC_N_MASK | U_GC_P_MASK | U_GC_S_MASK;
  constexpr char32_t kReplacement = U'\ufffd';
  return std::any_of(utf8::iterator(line.begin(), line.begin(), line.end()),
                     utf8::iterator(line.end(), line.begin(), line.end()), [](char32_t c) {
                       return c != kWordMarkCodePoint && c != kReplacement &&
                              (U_GET_GC_MASK(static_cast<UChar32>(c)) & kVisible) != 0;
                     });
}

// Training a unigram model takes about 26 bytes of memory for each byte of the text: 860 MB for
// this much, some 500,000 lines.
constexpr int64_t kMaxTextBytes = int64_t{32} << 20;

// The lines that are used for training.
struct TrainingText {
  LineSample sample{kMaxTextBytes};
  int64_t too_long = 0;

  void read(TrainingLines& lines) {
    for (std::string line; lines.next(line);) {
      mend_line(line);
      if (!has_visible_character(line)) continue;
      if (line.size() <= SentencePieceVocabulary::kMaxLineBytes)
        sample.add(line);
      else
        ++too_long;
    }
    const auto used = static_cast<int64_t>(sample.lines().size());
    if (used < sample.seen())
      spdlog::info("{}: the vocabulary is trained on {} of {} lines, picked at random",
                   lines.names(), format_thousands(used), format_thousands(sample.seen()));
  }
};

// Gives SentencePiece one line after the other.
class LineFeed : public sentencepiece::SentenceIterator {
 public:
  explicit LineFeed(const std::vector<std::string>& lines) : lines_(lines) {}

  bool done() const override { return next_ == lines_.size(); }
  void Next() override { ++next_; }
  const std::string& value() const override { return lines_[next_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  const std::vector<std::string>& lines_;
  size_t next_ = 0;
};

std::unordered_map<std::string, std::string> trainer_arguments(const VocabularyOptions& options) {
  return {
      {"model_type", options.type},
      {"vocab_size", std::to_string(options.size)},
      {"hard_vocab_limit", "false"},
      {"normalization_rule_name", options.lowercase ? "nmt_nfkc_cf" : "nmt_nfkc"},
      {"character_coverage", "0.9999"},  // the rarest characters, 1 of 10000, become unknown
      {"max_sentence_length", std::to_string(SentencePieceVocabulary::kMaxLineBytes)},
      {"num_threads", "1"},  // the same model on every machine
      {"minloglevel", "4"},
  };
}

// Reports an error of SentencePiece in terms of heed's options. If the size is too small, its
// message is "... smaller than required_chars. 5 vs 14. ...": the second number is how many pieces
// the characters and control symbols need.
[[noreturn]] void explain(const std::string& message, const std::string& names,
                          const VocabularyOptions& options) {
  constexpr std::string_view kTooSmall = "required_chars. ", kVersus = " vs ";
  if (const size_t at = message.find(kTooSmall); at != std::string::npos) {
    const size_t number = message.find(kVersus, at) + kVersus.size();
    const size_t end = message.find_first_not_of("0123456789", number);
    fail("{}: {} pieces are too few for the characters of {}; it needs at least {}",
         options.size_name, options.size, names, message.substr(number, end - number));
  }
  if (message.find("sentences_.empty()") != std::string::npos)
    fail("{}: no usable line to train a vocabulary from", names);
  fail("{}: cannot train a vocabulary: {}", names, message);
}

}  // namespace

std::shared_ptr<const Vocabulary> SentencePieceVocabulary::train(
    const std::vector<std::string>& files, const VocabularyOptions& options) {
  TrainingLines lines(files, options.tsv_column);
  TrainingText text;
  text.read(lines);
  if (text.sample.lines().empty() && text.too_long > 0)
    fail("{}: no usable line: all exceed {} bytes", lines.names(), kMaxLineBytes);
  if (text.sample.lines().empty()) fail("{}: no usable line: all are empty", lines.names());
  LineFeed feed(text.sample.lines());
  sentencepiece::SetRandomGeneratorSeed(1);
  std::string bytes;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(trainer_arguments(options), &feed, &bytes);
  if (!status.ok()) explain(status.message(), lines.names(), options);
  auto vocabulary = std::make_shared<SentencePieceVocabulary>(bytes, lines.names());
  if (text.too_long > 0)
    spdlog::warn("{}: {} lines over {} bytes were not used for the vocabulary", lines.names(),
                 text.too_long, kMaxLineBytes);
  if (vocabulary->size() < options.size)
    spdlog::warn("{}: the text is too small for {} pieces; the vocabulary has {}", lines.names(),
                 options.size, vocabulary->size());
  return vocabulary;
}

}  // namespace heed
