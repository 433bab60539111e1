#include "base/cores.h"

#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/numbers.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

int cores_of(const std::string& quota, const std::string& period) {
  const auto allowed = parse_int(quota),
             whole = parse_int(period);  // microseconds; "max" or -1: no quota
  if (!allowed || !whole || *allowed <= 0 || *whole <= 0) return kNoQuota;
  return static_cast<int>((*allowed + *whole - 1) / *whole);
}

std::string first_word(std::istream& in) {
  std::string word;
  in >> word;
  return word;
}

int quota_of_folder(const fs::path& folder) {
  if (std::ifstream both(folder / "cpu.max"); both) {
    const std::string quota = first_word(both);
    return cores_of(quota, first_word(both));
  }
  std::ifstream quota(folder / "cpu.cfs_quota_us"), period(folder / "cpu.cfs_period_us");
  if (!quota || !period) return kNoQuota;
  return cores_of(first_word(quota), first_word(period));
}

// The lowest quota of the folders from root/group up to root. Inside a container the group's own
// path may not exist, but its parents do.
int lowest_quota(const fs::path& root, const fs::path& group) {
  int lowest = quota_of_folder(root);
  fs::path folder = root;
  for (const fs::path& part : group.relative_path()) {
    folder /= part;
    lowest = std::min(lowest, quota_of_folder(folder));
  }
  return lowest;
}

bool names_cpu(const std::string& controllers) {
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

int affinity_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0) return CPU_COUNT(&mask);
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

int quota_cores(const std::string& groups, const std::string& root) {
  std::istringstream lines(groups);
  int lowest = kNoQuota;
  for (std::string line; std::getline(lines, line);) {  // "hierarchy:controllers:path"
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      lowest = std::min(lowest, lowest_quota(root, group));
    } else if (names_cpu(controllers)) {
      lowest = std::min(lowest, lowest_quota(fs::path(root) / "cpu", group));
    }
  }
  return lowest;
}

int quota_cores() {
  std::ifstream in("/proc/self/cgroup");
  std::ostringstream groups;
  groups << in.rdbuf();
  return quota_cores(groups.str(), "/sys/fs/cgroup");
}

}  // namespace heed
