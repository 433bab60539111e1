// The number of cores that the operating system lets this process use.
#pragma once

#include <limits>
#include <string>

namespace heed {

inline constexpr int kNoQuota = std::numeric_limits<int>::max();

// Cores in the process's affinity mask.
int affinity_cores();

// The CPU quota of the control group in cores, rounded up; kNoQuota if there is none. Takes
// the lowest quota of the group and its ancestors, from cgroup version 2 (cpu.max) and version
// 1 (cpu.cfs_quota_us). `groups` is the text of /proc/self/cgroup, `root` the folder where the
// control groups are mounted.
int quota_cores(const std::string& groups, const std::string& root);
int quota_cores();  // of this process

}  // namespace heed
