#include "cli/stop_signal.h"

#include <csignal>

namespace heed::cli {
namespace {

volatile std::sig_atomic_t requested = 0;

void request_stop(int signal) {
  requested = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_stop_signals() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

bool stop_requested() { return requested != 0; }

}  // namespace heed::cli
