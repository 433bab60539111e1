// Training of a SentencePiece model in memory: nothing is written beside the data.
#include <sentencepiece_trainer.h>
#include <spdlog/spdlog.h>
#include <unicode/uchar.h>
#include <utf8.h>

#include <algorithm>
#include <exception>
#include <unordered_map>

#include "base/error.h"
#include "text/mend.h"
#include "text/sentencepiece_vocabulary.h"
#include "text/training_lines.h"

namespace heed {
namespace {

// True if something of the line is left when SentencePiece has normalised it: a text of which
// nothing is left ends the whole program there.
bool has_visible_character(const std::string& line) {
  constexpr uint32_t kVisible = U_GC_L_MASK | U_GC_N_MASK | U_GC_P_MASK | U_GC_S_MASK;
  constexpr char32_t kWordStart = U'\u2581', kReplacement = U'\ufffd';
  return std::any_of(utf8::iterator(line.begin(), line.begin(), line.end()),
                     utf8::iterator(line.end(), line.begin(), line.end()), [](char32_t c) {
                       return c != kWordStart && c != kReplacement &&
                              (U_GET_GC_MASK(static_cast<UChar32>(c)) & kVisible) != 0;
                     });
}

// Hands SentencePiece one line after the other. An error of reading is kept, for SentencePiece
// passes no exceptions on.
class LineFeed : public sentencepiece::SentenceIterator {
 public:
  explicit LineFeed(TrainingLines& lines) : lines_(lines) { Next(); }

  bool done() const override { return done_; }
  const std::string& value() const override { return line_; }
  sentencepiece::util::Status status() const override { return {}; }

  void Next() override {
    try {
      do {
        done_ = !lines_.next(line_);
      } while (!done_ && !usable());
    } catch (...) {
      error_ = std::current_exception();
      done_ = true;
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }
  int64_t used() const { return used_; }
  int64_t too_long() const { return too_long_; }

 private:
  bool usable() {
    mend_line(line_);
    if (!has_visible_character(line_)) return false;
    const bool fits = line_.size() <= SentencePieceVocabulary::kMaxLineBytes;
    ++(fits ? used_ : too_long_);
    return fits;
  }

  TrainingLines& lines_;
  std::string line_;
  bool done_ = false;
  int64_t used_ = 0, too_long_ = 0;
  std::exception_ptr error_;
};

std::unordered_map<std::string, std::string> trainer_arguments(const VocabularyOptions& options) {
  return {
      {"model_type", options.type},
      {"vocab_size", std::to_string(options.size)},
      {"hard_vocab_limit", "false"},
      {"normalization_rule_name", options.lowercase ? "nmt_nfkc_cf" : "nmt_nfkc"},
      {"character_coverage", "0.9999"},  // the rarest characters, 1 of 10000, become unknown
      {"max_sentence_length", std::to_string(SentencePieceVocabulary::kMaxLineBytes)},
      {"input_sentence_size", "5000000"},  // of a larger text, so many lines picked by the seed
      {"shuffle_input_sentence", "true"},
      {"num_threads", "1"},  // the same model on every machine
      {"minloglevel", "4"},
  };
}

// What SentencePiece says, in the words of our options. Of too small a size it says "... smaller
// than required_chars. 5 vs 14. ...": the second number is what the characters and control pieces
// need.
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
  LineFeed feed(lines);
  feed.rethrow();
  if (feed.done() && feed.too_long() > 0)
    fail("{}: no usable line: all exceed {} bytes", lines.names(), kMaxLineBytes);
  if (feed.done()) fail("{}: no usable line: all are empty", lines.names());
  sentencepiece::SetRandomGeneratorSeed(1);
  std::string bytes;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(trainer_arguments(options), &feed, &bytes);
  feed.rethrow();
  if (!status.ok()) explain(status.message(), lines.names(), options);
  auto vocabulary = std::make_shared<SentencePieceVocabulary>(bytes, lines.names());
  if (feed.too_long() > 0)
    spdlog::warn("{}: {} lines over {} bytes had no part in the vocabulary", lines.names(),
                 feed.too_long(), kMaxLineBytes);
  if (vocabulary->size() < options.size)
    spdlog::warn("{}: the text is too small for {} pieces; the vocabulary has {}", lines.names(),
                 options.size, vocabulary->size());
  return vocabulary;
}

}  // namespace heed
