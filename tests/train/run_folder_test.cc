#include "train/run_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/temp_dir.h"
#include "train/user_error.h"

namespace heed {
namespace {

TEST(RunFolder, KeepsASecondRunOutUntilItEnds) {
  const test::TempDir dir;
  const std::string path = dir.path() + "/run";
  {
    const RunFolder folder(path);
    EXPECT_EQ(
        test::user_error([&] { RunFolder second(path); }),
        path + ": another heed train works there; wait for its end or choose another run.dir");
  }
  EXPECT_EQ(test::user_error([&] { RunFolder second(path); }), "(no error)");
}

TEST(RunFolder, RemovesWhatAKilledRunLeftAndNothingElse) {
  const test::TempDir dir;
  const std::string kept[] = {dir.path() + "/last.heed", dir.path() + "/notes.tmp",
                              dir.path() + "/best.heed.old"};
  for (const std::string& file : kept) test::put(file, "x");
  test::put(dir.path() + "/last.heed.123-4.tmp", "x");
  const RunFolder folder(dir.path());
  EXPECT_FALSE(std::filesystem::exists(dir.path() + "/last.heed.123-4.tmp"));
  for (const std::string& file : kept) EXPECT_TRUE(std::filesystem::exists(file)) << file;
}

}  // namespace
}  // namespace heed
