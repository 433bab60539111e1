#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::TempDir;

size_t files_in(const std::string& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(AtomicFile, AppearsWholeAtCommit) {
  const TempDir dir;
  AtomicFile file(dir.file("f"));
  file.write("new ");
  file.write("text");
  EXPECT_FALSE(fs::exists(dir.file("f")));
  file.commit();
  EXPECT_EQ(dir.read("f"), "new text");
  EXPECT_EQ(files_in(dir.path()), 1U) << "nothing but the file may stay";
}

TEST(AtomicFile, WithoutCommitLeavesTheOldFileWhole) {
  const TempDir dir;
  dir.write("f", "old");
  {
    AtomicFile file(dir.file("f"));
    file.write("new");
  }
  EXPECT_EQ(dir.read("f"), "old");
  EXPECT_EQ(files_in(dir.path()), 1U);
}

TEST(AtomicFile, HasNoNameBeforeCommitSoThatAKillLeavesNothing) {
  const TempDir dir;
  const int nameless = ::open(dir.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (nameless < 0) GTEST_SKIP() << "this file system has no files without a name";
  ::close(nameless);
  AtomicFile file(dir.file("f"));
  file.write("text");
  EXPECT_EQ(files_in(dir.path()), 0U);
}

TEST(AtomicFile, OfADefaultModeIsAsTheUserWantsNewFiles) {
  const TempDir dir;
  const mode_t before = ::umask(027);
  write_file(dir.file("f"), "x");
  ::umask(before);
  EXPECT_EQ(fs::status(dir.file("f")).permissions(), fs::perms(0640));
}

TEST(AtomicFile, KeepsTheModeOfTheOldFileAndTheLinkToIt) {
  const TempDir dir;
  dir.write("real", "old");
  fs::permissions(dir.file("real"), fs::perms(0640));
  fs::create_symlink("real", dir.file("link"));
  write_file(dir.file("link"), "new");
  EXPECT_TRUE(fs::is_symlink(dir.file("link")));
  EXPECT_EQ(dir.read("real"), "new");
  EXPECT_EQ(fs::status(dir.file("real")).permissions(), fs::perms(0640));
}

TEST(AtomicFile, NeverReplacesADevice) {
  write_file("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(AtomicFile, AddsToWhatStandardOutputHolds) {
  const TempDir dir;
  dir.write("f", "old ");
  const int descriptor = ::open(dir.file("f").c_str(), O_WRONLY | O_APPEND);
  write_file(fmt::format("/dev/fd/{}", descriptor), "new");
  ::close(descriptor);
  EXPECT_EQ(dir.read("f"), "old new");
}

TEST(AtomicFile, ReportsWhyItCannotBeMade) {
  const TempDir dir;
  const std::string lost = dir.file("missing/f");
  EXPECT_EQ(message_of<UserError>([&] { write_file(lost, "x"); }),
            lost + ": cannot write: No such file or directory");
  EXPECT_EQ(message_of<UserError>([&] { write_file(dir.path(), "x"); }),
            dir.path() + ": cannot write: it is a folder");
}

TEST(AtomicFile, TellsOfAFullDisk) {
  EXPECT_EQ(message_of<UserError>([] { write_file("/dev/full", "x"); }),
            "/dev/full: cannot write: No space left on device");
}

TEST(Output, WritesLinesToAFileThatAppearsAtCommit) {
  const TempDir dir;
  Output output(dir.file("f"));
  output.line("one");
  output.line("");
  EXPECT_FALSE(fs::exists(dir.file("f")));
  output.commit();
  EXPECT_EQ(dir.read("f"), "one\n\n");
}

TEST(Output, WithoutCommitMakesNoFile) {
  const TempDir dir;
  { Output(dir.file("f")).line("one"); }
  EXPECT_EQ(files_in(dir.path()), 0U);
}

// Replaces standard output by the write end of a pipe as long as the object exists.
class PipedOutput {
 public:
  PipedOutput() : before_(::dup(STDOUT_FILENO)) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[1]);
    read_end_ = ends[0];
  }
  ~PipedOutput() {
    restore();
    close_reader();
  }
  void restore() {
    if (before_ < 0) return;
    ::dup2(before_, STDOUT_FILENO);
    ::close(before_);
    before_ = -1;
  }
  void close_reader() {
    if (read_end_ >= 0) ::close(read_end_);
    read_end_ = -1;
  }
  std::string read_some() const {
    char bytes[100];
    const ssize_t count = ::read(read_end_, bytes, sizeof(bytes));
    return {bytes, static_cast<size_t>(std::max<ssize_t>(0, count))};
  }

 private:
  int before_;
  int read_end_ = -1;
};

TEST(Output, FlushSendsLinesToStandardOutput) {
  PipedOutput pipe;
  Output output("-");
  output.line("one");
  output.flush();
  EXPECT_EQ(pipe.read_some(), "one\n");
  output.line("two");
  output.commit();
  EXPECT_EQ(pipe.read_some(), "two\n");
}

TEST(Output, KeepsTheLinesThatWereDoneWhenAnErrorCame) {
  PipedOutput pipe;
  { Output("-").line("done"); }
  EXPECT_EQ(pipe.read_some(), "done\n");
}

TEST(Output, TellsOfAClosedPipe) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  PipedOutput pipe;
  pipe.close_reader();
  Output output("-");
  output.line("one");
  EXPECT_EQ(message_of<UserError>([&] { output.flush(); }),
            "standard output: cannot write: Broken pipe");
  pipe.restore();
  std::signal(SIGPIPE, before);
}

TEST(WritableFolder, IsMadeWithThoseAboveIt) {
  const TempDir dir;
  make_writable_folder(dir.file("a/b"));
  make_writable_folder(dir.file("a/b"));
  EXPECT_TRUE(fs::is_directory(dir.file("a/b")));
  EXPECT_EQ(files_in(dir.file("a/b")), 0U);
}

TEST(WritableFolder, TellsWhenAFileIsInTheWay) {
  const TempDir dir;
  dir.write("f", "x");
  EXPECT_NE(message_of<UserError>([&] { make_writable_folder(dir.file("f")); }).find(dir.file("f")),
            std::string::npos);
  EXPECT_NE(
      message_of<UserError>([&] { make_writable_folder(dir.file("f/g")); }).find("Not a directory"),
      std::string::npos);
}

TEST(WritableFolder, ReportsThatItCannotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TempDir dir;
  ::chmod(dir.path().c_str(), 0500);
  EXPECT_NE(message_of<UserError>([&] {
              make_writable_folder(dir.path());
            }).find("cannot write in this folder"),
            std::string::npos);
  ::chmod(dir.path().c_str(), 0700);
}

}  // namespace
}  // namespace heed
