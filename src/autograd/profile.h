// Where the time of a training step goes: each op, forward and backward, without the ops that
// run inside it.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "tensor/kernels/work.h"

namespace heed {

struct OpCost {
  int64_t calls = 0;
  double seconds = 0;
  kernels::Work work;
};

// While one exists, every OpScope of this thread is timed into it. One at a time a thread.
class Profile {
 public:
  Profile();
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  // By name; the backward functions of an op are "NAME backward". What ran outside of all scopes
  // since the profile began is under "other".
  const std::map<std::string, OpCost>& costs();

 private:
  friend class OpScope;
  using Clock = std::chrono::steady_clock;

  // Gives what passed since the last call to the scope that was running.
  void charge();

  std::map<std::string, OpCost> costs_;
  Clock::time_point last_;
  kernels::Work work_before_;
};

// Marks the work of an op, from here to the end of the block. Names are string literals. Costs two
// writes where nothing is profiled.
class OpScope {
 public:
  explicit OpScope(const char* name, bool backward = false);
  ~OpScope();
  OpScope(const OpScope&) = delete;
  OpScope& operator=(const OpScope&) = delete;

  // The innermost op that runs; "other" outside of all.
  static const char* current();

 private:
  friend class Profile;
  const char* name_;
  bool backward_;
  OpScope* outer_;
};

}  // namespace heed
