#include "cli/stop_signal.h"

#include <csignal>
#include <ctime>

namespace heed::cli {
namespace {

volatile std::sig_atomic_t requested = 0;
volatile std::time_t requested_at = 0;

// A signal that comes with the first one is the same wish: timeout(1) and others send it to the
// process and to its group.
constexpr std::time_t kSameWish = 2;  // seconds

void request_stop(int signal) {
  const std::time_t now = std::time(nullptr);
  if (requested != 0 && now - requested_at >= kSameWish) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  if (requested == 0) requested_at = now;
  requested = 1;
}

}  // namespace

void catch_stop_signals() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

bool stop_requested() { return requested != 0; }

}  // namespace heed::cli
