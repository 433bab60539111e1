#include "base/scratch_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/growing_array.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed {
namespace {

using test::message_of;
using test::TempDir;

// Limits the size of files to simulate a full disk; writing more is an error, not a signal.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : action_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, action_);
  }

 private:
  rlimit before_{};
  sighandler_t action_;
};

// Resident memory of this process that is mapped from files.
int64_t resident_file_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name;) {
    int64_t kilobytes = 0;
    if (name == "RssFile:" && status >> kilobytes) return kilobytes;
  }
  return -1;
}

TEST(ScratchFile, GivesBackWhatWasWritten) {
  const TempDir dir;
  ScratchFile file(dir.path(), "");
  std::string whole;
  for (int i = 0; i < 300000; ++i) {
    const std::string part = std::to_string(i);
    file.append(part);
    whole += part;
  }
  const std::string large(size_t{3} << 20, 'y');
  for (const std::string& part : {large, std::string("z")}) {
    file.append(part);
    whole += part;
  }
  file.finish();
  ASSERT_EQ(file.size(), static_cast<int64_t>(whole.size()));
  EXPECT_TRUE(std::string_view(file.at(0), whole.size()) == whole);
  EXPECT_EQ(std::string(file.at(1000000), 50), whole.substr(1000000, 50));
}

TEST(ScratchFile, HasNoName) {
  const TempDir dir;
  ScratchFile file(dir.path(), "");
  file.append("x");
  file.finish();
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(ScratchFile, LetsPagesGoAsItIsRead) {
  if (resident_file_kilobytes() < 0) GTEST_SKIP() << "needs /proc/self/status";
  constexpr int64_t kBytes = int64_t{96} << 20;
  const TempDir dir;
  ScratchFile file(dir.path(), "");
  const std::string block(size_t{1} << 20, 'x');
  while (file.size() < kBytes) file.append(block);
  file.finish();
  const int64_t before = resident_file_kilobytes();
  int64_t most = 0;
  for (int64_t at = 0; at < kBytes; at += 4096) {
    ASSERT_EQ(*file.at(at), 'x');
    if (at % (1 << 20) == 0) most = std::max(most, resident_file_kilobytes() - before);
  }
  EXPECT_LT(most, 32 << 10) << "all of it are " << (kBytes >> 10);
}

TEST(ScratchFile, IsReadByManyThreads) {
  const TempDir dir;
  GrowingArray<int64_t> array;
  array.move_to_file(dir.path(), "");
  std::vector<int64_t> numbers(200000);
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  array.append(numbers);
  array.finish();
  std::vector<std::thread> readers;
  std::vector<int64_t> sums(4);
  for (int64_t& sum : sums) {
    readers.emplace_back([&] {
      for (int64_t i = 0; i < array.size(); i += 7) sum += array.view(i, 1)[0] - i + 1;
    });
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(sums, std::vector<int64_t>(4, (200000 + 6) / 7));
}

TEST(ScratchFile, TellsTheFolderWhatHappenedAndWhatToDo) {
  const TempDir dir;
  EXPECT_EQ(
      message_of<UserError>([&] { ScratchFile(dir.file("none"), "do this"); }),
      dir.file("none") + ": cannot make a temporary file: No such file or directory; do this");
  ScratchFile file(dir.path(), "do this");
  file.append(std::string(5000, 'x'));
  const std::string message = [&] {
    const FileSizeLimit limit(4096);
    return message_of<UserError>([&] { file.finish(); });
  }();
  EXPECT_EQ(message, dir.path() + ": cannot write: File too large; do this");
}

TEST(GrowingArray, IsTheSameInMemoryAndInAFile) {
  const TempDir dir;
  GrowingArray<int32_t> in_memory, in_file;
  for (int32_t i = 0; i < 10; ++i) {
    const std::vector<int32_t> items(static_cast<size_t>(i), i);
    if (i == 5) in_file.move_to_file(dir.path(), "");
    in_memory.append(items);
    in_file.append(items);
  }
  in_file.finish();
  ASSERT_EQ(in_memory.size(), 45);
  ASSERT_EQ(in_file.size(), 45);
  for (int64_t begin = 0; begin < 45; begin += 5) {
    const auto expected = in_memory.view(begin, 5), view = in_file.view(begin, 5);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), view.begin(), view.end())) << begin;
  }
  EXPECT_TRUE(in_file.view(45, 0).empty());
}

}  // namespace
}  // namespace heed
