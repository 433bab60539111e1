#include "base/cores.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/temp_dir.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

TEST(Cores, TakesTheLowestQuotaOfVersion2AndRoundsUp) {
  const test::TempDir root;
  fs::create_directories(root.path() + "/a/b");
  root.write("a/cpu.max", "150000 100000\n");
  root.write("a/b/cpu.max", "400000 100000\n");
  EXPECT_EQ(quota_cores("0::/a/b\n", root.path()), 2);
}

TEST(Cores, KnowsVersion1) {
  const test::TempDir root;
  fs::create_directories(root.path() + "/cpu/job");
  root.write("cpu/job/cpu.cfs_quota_us", "300000\n");
  root.write("cpu/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota_cores("5:memory:/other\n4:cpu,cpuacct:/job\n", root.path()), 3);
}

TEST(Cores, HasNoQuotaIfNoneIsSet) {
  const test::TempDir root;
  root.write("cpu.max", "max 100000\n");
  EXPECT_EQ(quota_cores("0::/missing\n", root.path()), kNoQuota);
  EXPECT_EQ(quota_cores("", root.path()), kNoQuota);
}

TEST(Cores, SeesTheQuotaOfTheRootInsideAContainer) {
  const test::TempDir root;
  root.write("cpu.max", "200000 100000\n");
  EXPECT_EQ(quota_cores("0::/../host/name\n", root.path()), 2);
}

TEST(Cores, HasAtLeastOneCore) { EXPECT_GE(affinity_cores(), 1); }

}  // namespace
}  // namespace heed
