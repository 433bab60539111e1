#include "autograd/profile.h"

#include "base/error.h"

namespace heed {
namespace {

thread_local Profile* profile = nullptr;
thread_local OpScope* innermost = nullptr;

}  // namespace

Profile::Profile() : last_(Clock::now()), work_before_(kernels::work_done()) {
  check(profile == nullptr, "[Profile] one at a time");
  profile = this;
}

Profile::~Profile() { profile = nullptr; }

const std::map<std::string, OpCost>& Profile::costs() {
  charge();
  return costs_;
}

void Profile::charge() {
  const Clock::time_point now = Clock::now();
  const std::string name = OpScope::current();
  OpCost& cost = costs_[innermost != nullptr && innermost->backward_ ? name + " backward" : name];
  cost.seconds += std::chrono::duration<double>(now - last_).count();
  cost.work += kernels::work_done() - work_before_;
  last_ = now;
  work_before_ = kernels::work_done();
}

OpScope::OpScope(const char* name, bool backward)
    : name_(name), backward_(backward), outer_(innermost) {
  if (profile != nullptr) profile->charge();
  innermost = this;
  if (profile != nullptr)
    ++profile->costs_[backward ? std::string(name) + " backward" : name].calls;
}

OpScope::~OpScope() {
  if (profile != nullptr) profile->charge();
  innermost = outer_;
}

const char* OpScope::current() { return innermost == nullptr ? "other" : innermost->name_; }

}  // namespace heed
