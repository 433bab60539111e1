#include "text/corpus.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "text/word_vocabulary.h"

namespace heed {
namespace {

using Ids = std::vector<TokenId>;
using test::message_of;
using test::TempDir;

// Collects what is logged while it lives.
class LogCapture {
 public:
  LogCapture() : before_(spdlog::default_logger()) {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "capture", std::make_shared<spdlog::sinks::ostream_sink_st>(text_)));
  }
  ~LogCapture() { spdlog::set_default_logger(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> before_;
};

class CorpusFiles : public testing::Test {
 protected:
  Corpus read(const std::string& source, const std::string& target, int64_t max_length = 0) {
    return read_corpus(files(source, target), words_, words_, max_length, report_);
  }
  Corpus read_tsv(const std::string& content) {
    return read_corpus({.source = "", .target = "", .tsv = dir_.write("t.tsv", content)}, words_,
                       words_, 0, report_);
  }
  TextFiles files(const std::string& source, const std::string& target) const {
    return {.source = dir_.write("s", source), .target = dir_.write("t", target), .tsv = ""};
  }
  static Ids ids(std::span<const TokenId> tokens) { return {tokens.begin(), tokens.end()}; }

  TempDir dir_;
  WordVocabulary words_{{"a", "b", "c", "d"}, false};  // ids 3 to 6
  CorpusReport report_;
};

TEST_F(CorpusFiles, HoldsThePairsInOrder) {
  const Corpus corpus = read("a b\nc\n", "d\nc b a\n");
  ASSERT_EQ(corpus.size(), 2);
  EXPECT_EQ(ids(corpus.source(0)), (Ids{3, 4}));
  EXPECT_EQ(ids(corpus.target(0)), (Ids{6}));
  EXPECT_EQ(ids(corpus.source(1)), (Ids{5}));
  EXPECT_EQ(ids(corpus.target(1)), (Ids{5, 4, 3}));
}

TEST_F(CorpusFiles, ReadsATsvAsTwoFiles) {
  EXPECT_EQ(read_tsv("a b\td\r\nc\tc b a\n").fingerprint(),
            read("a b\nc\n", "d\nc b a\n").fingerprint());
}

TEST_F(CorpusFiles, GivesTheSameIdsForEitherLineEnd) {
  EXPECT_EQ(read("a b\r\nc\r\n", "d\na\n").fingerprint(), read("a b\nc\n", "d\na\n").fingerprint());
}

TEST_F(CorpusFiles, CountsWhatItLeavesOutAndWhy) {
  const Corpus corpus = read("a\n\na b c\na b\n \t\nd\n", "a\nb\nc\nd\nc\na b c\n", 2);
  EXPECT_EQ(corpus.size(), 2) << "a side of exactly the limit is used";
  EXPECT_EQ(report_.read, 6);
  EXPECT_EQ(report_.used, 2);
  EXPECT_EQ(report_.empty, 2);
  EXPECT_EQ(report_.first_empty_line, 2);
  EXPECT_EQ(report_.too_long, 2);
  EXPECT_EQ(report_.first_long_line, 3);
  EXPECT_EQ(report_.source_tokens, 3);
  EXPECT_EQ(report_.target_tokens, 2);
}

TEST_F(CorpusFiles, SummarisesInOneLine) {
  CorpusReport report;
  report.read = 29000;
  report.used = 28990;
  report.empty = 1;
  report.first_empty_line = 2;
  report.too_long = 9;
  report.first_long_line = 71;
  report.source_tokens = 1000;
  report.source_unknown = 5;
  report.target_tokens = 2000;
  EXPECT_EQ(
      report.summary(),
      "29,000 pairs read, 28,990 used; 1 skipped with an empty side (first: line 2); 9 skipped "
      "as too long (first: line 71); source 1,000 tokens (0.50 % unknown), target 2,000 (0.00 "
      "% unknown)");
}

TEST_F(CorpusFiles, NumbersLinesAcrossItsBlocks) {
  std::string source, target;
  for (int i = 0; i < 5000; ++i) source += "a\n", target += "b\n";
  const Corpus corpus = read(source + "\na b c d\n", target + "b\nb\n", 3);
  EXPECT_EQ(corpus.size(), 5000);
  EXPECT_EQ(report_.first_empty_line, 5001);
  EXPECT_EQ(report_.first_long_line, 5002);
}

TEST_F(CorpusFiles, ReportsBothLineCountsThatDiffer) {
  const std::string s = dir_.file("s"), t = dir_.file("t");
  EXPECT_EQ(message_of<UserError>([&] { read("a\nb\nc\n", "a\nb\n"); }),
            s + " has 3 lines, " + t + " has 2; they must match");
  EXPECT_EQ(message_of<UserError>([&] { read("a\n", "a\nb\nc\nd\n"); }),
            s + " has 1 lines, " + t + " has 4; they must match");
}

TEST_F(CorpusFiles, CountsLinesByLineFeedsOnly) {
  EXPECT_EQ(read("a\u2028b\nc\u0085\n", "d\na\n").size(), 2);
}

TEST_F(CorpusFiles, ReportsAnEmptyOrMissingFile) {
  EXPECT_EQ(message_of<UserError>([&] { read("", "a\n"); }), dir_.file("s") + ": file is empty");
  EXPECT_EQ(message_of<UserError>([&] { read("a\n", ""); }), dir_.file("t") + ": file is empty");
  const TextFiles lost{.source = dir_.file("lost"), .target = dir_.file("s"), .tsv = ""};
  EXPECT_EQ(message_of<UserError>([&] { read_parallel_lines(lost); }),
            dir_.file("lost") + ": cannot open: No such file or directory");
}

TEST_F(CorpusFiles, ReportsTheTsvLineWithoutExactlyOneTab) {
  const std::string path = dir_.file("t.tsv");
  EXPECT_EQ(message_of<UserError>([&] { read_tsv("a\tb\nc\n"); }),
            path + ":2: needs exactly one tab between source and target, has 0");
  EXPECT_EQ(message_of<UserError>([&] { read_tsv("a\tb\tc\n"); }),
            path + ":1: needs exactly one tab between source and target, has 2");
}

TEST_F(CorpusFiles, ReportsWhyNoPairIsLeft) {
  EXPECT_EQ(
      message_of<UserError>([&] { read("a b c\n\n", "a\nb\n", 2); }),
      dir_.file("s") + " and " + dir_.file("t") +
          ": all 2 pairs were left out: 1 with an empty side, 1 too long (data.max_length: 2)");
}

TEST_F(CorpusFiles, MendsInvalidUtf8AndCountsIt) {
  const ParallelLines lines = read_parallel_lines(files("a \xff\n", "b\n"));
  EXPECT_EQ(lines.source[0], "a \ufffd");
  read("a \xff\na\n", "b\n\xc3\n");
  EXPECT_EQ(report_.invalid_utf8, 2);
}

TEST_F(CorpusFiles, WarnsOfManyUnknownTokens) {
  const LogCapture log;
  read("a b x\n", "a b c\n");
  EXPECT_NE(log.text().find("33.3 % of the source tokens are not in the vocabulary"),
            std::string::npos);
  EXPECT_EQ(log.text().find("target"), std::string::npos);
}

TEST_F(CorpusFiles, WarnsOfOldMacLineEnds) {
  const LogCapture log;
  read("a\rb\rc\r", "a\n");
  EXPECT_NE(log.text().find(dir_.file("s") +
                            ": no line feed found, 3 carriage returns: old Mac line ends?"),
            std::string::npos);
}

TEST_F(CorpusFiles, KeepsEmptyLinesOfReferences) {
  const ParallelLines lines = read_parallel_lines(files("a\n\nb\n", "c\nd\n\n"));
  EXPECT_EQ(lines.source, (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(lines.target, (std::vector<std::string>{"c", "d", ""}));
}

TEST_F(CorpusFiles, IsTheSameInMemoryAndInAFile) {
  std::string source, target;
  for (int i = 0; i < 3000; ++i) {
    source += i % 3 == 0 ? "a b c\n" : "d\n";
    target += i % 7 == 0 ? "b\n" : "c d\n";
  }
  const Corpus in_memory = read(source, target);
  CorpusReport report;
  const Corpus in_file = read_corpus(files(source, target), words_, words_, 0, report,
                                     {.folder = dir_.path(), .memory_bytes = 10000});
  ASSERT_EQ(in_file.size(), 3000);
  for (int64_t pair = 0; pair < 3000; ++pair) {
    ASSERT_EQ(ids(in_file.source(pair)), ids(in_memory.source(pair))) << pair;
    ASSERT_EQ(ids(in_file.target(pair)), ids(in_memory.target(pair))) << pair;
    ASSERT_EQ(in_file.lengths(pair).source, std::ssize(in_memory.source(pair)));
    ASSERT_EQ(in_file.lengths(pair).target, std::ssize(in_memory.target(pair)));
  }
  EXPECT_EQ(in_file.fingerprint(), in_memory.fingerprint());
  EXPECT_EQ(in_file.mean_length(), in_memory.mean_length());
}

TEST_F(CorpusFiles, LeavesNothingInItsFolder) {
  const std::string folder = dir_.file("run");
  std::filesystem::create_directory(folder);
  CorpusReport report;
  const Corpus corpus = read_corpus(files("a b\nc\n", "d\nc b a\n"), words_, words_, 0, report,
                                    {.folder = folder, .memory_bytes = 0});
  EXPECT_EQ(ids(corpus.target(1)), (Ids{5, 4, 3}));
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(CorpusFiles, ReportsWhichFolderCanNotHoldIt) {
  CorpusReport report;
  const CorpusStorage storage{.folder = dir_.file("lost"), .memory_bytes = 0};
  EXPECT_EQ(message_of<UserError>(
                [&] { read_corpus(files("a\n", "b\n"), words_, words_, 0, report, storage); }),
            dir_.file("lost") +
                ": cannot make a temporary file: No such file or directory; the text is kept there "
                "while it is in use: free some space or choose another run.dir");
}

TEST(Corpus, KnowsTheMeanLengthOfTheLongerSide) {
  Corpus corpus;
  EXPECT_EQ(corpus.mean_length(), 0);
  corpus.add(Ids{3, 4}, Ids{5});        // 3 with </s>
  corpus.add(Ids{3}, Ids{4, 4, 4, 4});  // 5
  EXPECT_EQ(corpus.mean_length(), 4);
}

TEST_F(CorpusFiles, FingerprintChangesWithAnyToken) {
  const uint64_t whole = read("a b\nc\n", "d\na\n").fingerprint();
  EXPECT_NE(whole, read("a b\nd\n", "d\na\n").fingerprint());
  EXPECT_NE(whole, read("a\nb c\n", "d\na\n").fingerprint());
  EXPECT_NE(whole, read("c\na b\n", "a\nd\n").fingerprint());
  EXPECT_NE(whole, read("a b\n", "d\n").fingerprint());
}

}  // namespace
}  // namespace heed
