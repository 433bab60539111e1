// How many cores the operating system lets this process use.
#pragma once

#include <limits>
#include <string>

namespace heed {

inline constexpr int kNoQuota = std::numeric_limits<int>::max();

// Cores in the process's affinity mask.
int affinity_cores();

// Cores that the control group's CPU quota allows, a part of one rounded up; kNoQuota if there is
// none. Reads the lowest quota of the group and those above it: version 2 (cpu.max) and version 1
// (cpu.cfs_quota_us). `groups` is the text of /proc/self/cgroup, `root` where the control groups
// are mounted.
int quota_cores(const std::string& groups, const std::string& root);
int quota_cores();  // of this process

}  // namespace heed
