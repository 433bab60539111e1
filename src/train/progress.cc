#include "train/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/numbers.h"

namespace heed {
namespace {

constexpr int kBarWidth = 20;
constexpr auto kInterval = std::chrono::milliseconds(100);

std::string clock_text(double seconds) {
  const int64_t s = std::llround(std::clamp(seconds, 0.0, 3.6e9));
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

int terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

std::string progress_line(const ProgressView& view, int width) {
  std::string line;
  if (view.fraction >= 0) {
    const double fraction = std::clamp(view.fraction, 0.0, 1.0);
    const int filled = static_cast<int>(fraction * kBarWidth);
    line = fmt::format("[{}{}] {:.0f}%, {} left  ", std::string(static_cast<size_t>(filled), '#'),
                       std::string(static_cast<size_t>(kBarWidth - filled), '.'),
                       std::floor(fraction * 100),
                       view.seconds_left ? clock_text(*view.seconds_left) : "?");
  }
  line += fmt::format("update {}, epoch {}, loss {}, {} tokens/s", view.update, view.epoch,
                      format_fixed(view.loss, 3),
                      format_thousands(std::llround(view.tokens_per_second)));
  if (static_cast<int>(line.size()) > width) line.resize(static_cast<size_t>(std::max(width, 0)));
  return line;
}

bool Progress::due() const { return enabled_ && std::chrono::steady_clock::now() >= next_; }

void Progress::show(const ProgressView& view) {
  if (!enabled_) return;
  // One column is left free: a full line would wrap and could not be redrawn.
  const std::string line = progress_line(view, terminal_width() - 1);
  std::fprintf(stderr, "\r%s\033[K", line.c_str());
  std::fflush(stderr);
  drawn_ = true;
  next_ = std::chrono::steady_clock::now() + kInterval;
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

bool terminal_progress() { return ::isatty(STDERR_FILENO) == 1; }

}  // namespace heed
