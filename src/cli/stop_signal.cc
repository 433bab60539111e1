// No handler, but a thread that waits: some of oneDNN's kernels put the stack pointer at the start
// of a buffer on the heap, where a handler's frame would overwrite what precedes it.
#include "cli/stop_signal.h"

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace heed::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> catching = false;
std::atomic<bool> requested = false;

// A signal that comes with the first one is the same wish: timeout(1) and others send it to the
// process and to its group.
constexpr std::chrono::seconds kSameWish(2);

// Those that the program was not started to ignore (nohup, a job in the background of a script).
sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;
    sigaddset(&signals, signal);
  }
  return signals;
}

// Ends the process.
void act_as_usual(int signal, const sigset_t& signals) {
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  ::raise(signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void wait_for_signals() {
  const sigset_t signals = stop_signals();
  Clock::time_point first;
  int signal = 0;
  while (sigwait(&signals, &signal) == 0) {
    const Clock::time_point now = Clock::now();
    if (!catching || (requested && now - first >= kSameWish)) {
      act_as_usual(signal, signals);
    } else if (!requested) {
      first = now;
      requested = true;
    }
  }
}

}  // namespace

void watch_stop_signals() {
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(wait_for_signals).detach();
}

void catch_stop_signals() { catching = true; }

bool stop_requested() { return requested; }

}  // namespace heed::cli
