#include "text/line_sample.h"

#include <utility>

#include "base/random.h"

namespace heed {

void LineSample::add(const std::string& line) {
  constexpr uint64_t kSeed = 1;
  const uint64_t number = mix(kSeed, static_cast<uint64_t>(seen_++));
  if (number > limit_) return;
  lines_.push_back(line);
  numbers_.push_back(number);
  bytes_ += static_cast<int64_t>(line.size());
  while (bytes_ > max_bytes_) halve();
}

void LineSample::halve() {
  limit_ /= 2;
  bytes_ = 0;
  size_t kept = 0;
  for (size_t i = 0; i < lines_.size(); ++i) {
    if (numbers_[i] > limit_) continue;
    bytes_ += static_cast<int64_t>(lines_[i].size());
    if (kept != i) lines_[kept] = std::move(lines_[i]);
    numbers_[kept++] = numbers_[i];
  }
  lines_.resize(kept);
  numbers_.resize(kept);
}

}  // namespace heed
