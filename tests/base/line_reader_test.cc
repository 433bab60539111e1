#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed {
namespace {

using Lines = std::vector<std::string>;
using test::message_of;
using test::TempDir;

Lines lines_of(const std::string& path) {
  LineReader reader(path);
  Lines lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  EXPECT_EQ(reader.line_number(), static_cast<int64_t>(lines.size()));
  return lines;
}

// Compresses `content` as one gzip member.
std::string gzip(const std::string& content) {
  const std::string name = TempDir().path() + ".gz";
  gzFile out = gzopen(name.c_str(), "wb");
  gzwrite(out, content.data(), static_cast<unsigned>(content.size()));
  gzclose(out);
  std::string packed;
  FILE* in = std::fopen(name.c_str(), "rb");
  for (int c = std::fgetc(in); c != EOF; c = std::fgetc(in)) packed += static_cast<char>(c);
  std::fclose(in);
  ::unlink(name.c_str());
  return packed;
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 60000; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

TEST(LineReader, EndsALineAtALineFeedOnly) {
  const TempDir dir;
  // U+2028, U+0085, vertical tab, form feed and a zero byte do not end lines.
  const std::string odd(
      "a\xe2\x80\xa8"
      "b\xc2\x85"
      "c\vd\fe\0f",
      14);
  EXPECT_EQ(lines_of(dir.write("f", odd + "\n\nlast")), (Lines{odd, "", "last"}));
}

TEST(LineReader, DropsOneCarriageReturnBeforeALineFeed) {
  const TempDir dir;
  const std::string path = dir.write("f", "a b\r\nc\rd\r\r\n");
  EXPECT_EQ(lines_of(path), (Lines{"a b", "c\rd\r"}));
  LineReader reader(path);
  std::string line;
  reader.next(line);
  EXPECT_EQ(reader.lone_carriage_returns(), 0);
  reader.next(line);
  EXPECT_EQ(reader.lone_carriage_returns(), 2);
}

TEST(LineReader, CountsTheCarriageReturnsOfAnOldMacFile) {
  const TempDir dir;
  LineReader reader(dir.write("f", "a\rb\rc\r"));
  std::string line;
  while (reader.next(line)) {
  }
  EXPECT_EQ(reader.line_number(), 1);
  EXPECT_EQ(reader.lone_carriage_returns(), 3);
}

TEST(LineReader, DropsAByteOrderMarkAtTheStartOnly) {
  const TempDir dir;
  EXPECT_EQ(lines_of(dir.write("f", "\xef\xbb\xbfone\n\xef\xbb\xbftwo\n")),
            (Lines{"one", "\xef\xbb\xbftwo"}));
  EXPECT_EQ(lines_of(dir.write("mark_only", "\xef\xbb\xbf")), Lines{});
}

TEST(LineReader, ReadsAnEmptyFileAndAnEmptyLine) {
  const TempDir dir;
  EXPECT_EQ(lines_of(dir.write("empty", "")), Lines{});
  EXPECT_EQ(lines_of(dir.write("line", "\n")), Lines{""});
}

TEST(LineReader, ReadsLinesLongerThanItsBlocks) {
  const TempDir dir;
  const std::string line(300000, 'x');
  EXPECT_EQ(lines_of(dir.write("f", line + "\n" + line)), (Lines{line, line}));
}

TEST(LineReader, KnowsGzipByItsBytesAndNotByItsName) {
  const TempDir dir;
  EXPECT_EQ(lines_of(dir.write("packed.txt", gzip("a\nb\n"))), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of(dir.write("plain.gz", "a\nb\n")), (Lines{"a", "b"}));
  EXPECT_EQ(read_file(dir.write("long", gzip(long_text()))), long_text());
}

TEST(LineReader, ReadsSeveralGzipMembersAndZeroPadding) {
  const TempDir dir;
  const std::string two = gzip("a\n") + gzip("b\n") + std::string(100, '\0');
  EXPECT_EQ(lines_of(dir.write("f", two)), (Lines{"a", "b"}));
}

TEST(LineReader, TellsOfCutOrDamagedGzip) {
  const TempDir dir;
  std::string packed = gzip(long_text());
  for (const size_t size : {size_t{2}, size_t{9}, packed.size() / 2, packed.size() - 1}) {
    const std::string path = dir.write("cut.gz", packed.substr(0, size));
    EXPECT_EQ(message_of<UserError>([&] { lines_of(path); }), path + ": cut or damaged gzip data")
        << size;
  }
  packed[packed.size() - 6] ^= 1;  // the checksum
  const std::string path = dir.write("damaged.gz", packed);
  EXPECT_EQ(message_of<UserError>([&] { read_file(path); }), path + ": cut or damaged gzip data");
}

TEST(LineReader, ReportsWhyAFileCannotBeOpened) {
  const TempDir dir;
  const std::string missing = dir.file("missing");
  EXPECT_EQ(message_of<UserError>([&] { LineReader reader(missing); }),
            missing + ": cannot open: No such file or directory");
  EXPECT_EQ(message_of<UserError>([&] { LineReader reader(dir.path()); }),
            dir.path() + ": cannot open: it is a folder");
}

// Replaces standard input by a pipe as long as the object exists.
class PipedInput {
 public:
  PipedInput() : before_(::dup(STDIN_FILENO)) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
    write_end_ = ends[1];
  }
  ~PipedInput() {
    close();
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }
  void write(const std::string& text) const {
    EXPECT_EQ(::write(write_end_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void close() {
    if (write_end_ >= 0) ::close(write_end_);
    write_end_ = -1;
  }

 private:
  int before_;
  int write_end_ = -1;
};

TEST(LineReader, KnowsIfALineCanBeReadFromAPipeWithoutWaiting) {
  PipedInput input;
  LineReader reader("-");
  std::string line;
  EXPECT_FALSE(reader.ready());
  input.write("one\ntw");
  EXPECT_TRUE(reader.ready());
  EXPECT_TRUE(reader.next(line));
  EXPECT_FALSE(reader.ready()) << "'tw' is not yet a line";
  input.write("o\n\n");
  EXPECT_TRUE(reader.ready());
  EXPECT_TRUE(reader.next(line));
  EXPECT_EQ(line, "two");
  EXPECT_TRUE(reader.next(line));
  EXPECT_EQ(line, "");
  input.close();
  EXPECT_FALSE(reader.ready());
  EXPECT_FALSE(reader.next(line));
}

TEST(LineReader, ReadsGzipFromAPipe) {
  PipedInput input;
  const std::string packed = gzip("a\nb\n");
  input.write(packed.substr(0, 1));
  LineReader reader("-");
  EXPECT_FALSE(reader.ready());
  input.write(packed.substr(1));
  input.close();
  std::string line;
  EXPECT_TRUE(reader.next(line));
  EXPECT_EQ(line, "a");
  EXPECT_TRUE(reader.next(line));
  EXPECT_FALSE(reader.next(line));
}

TEST(LineReader, AnAlwaysReadableFileIsReadyUntilItsEnd) {
  const TempDir dir;
  LineReader reader(dir.write("f", "a\nb"));
  std::string line;
  for (const char* wanted : {"a", "b"}) {
    EXPECT_TRUE(reader.ready());
    EXPECT_TRUE(reader.next(line));
    EXPECT_EQ(line, wanted);
  }
  EXPECT_FALSE(reader.ready());
}

}  // namespace
}  // namespace heed
