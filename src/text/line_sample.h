// A random sample of the lines of a text, as many as fit into a given amount of memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed {

// Every line has a random number, a function of its position. Lines with numbers below a limit are
// kept, and the limit is halved whenever they exceed the memory. So all lines are equally likely to
// be kept, in their order, and a text that fits is kept as a whole.
class LineSample {
 public:
  explicit LineSample(int64_t max_bytes) : max_bytes_(max_bytes) {}

  void add(const std::string& line);
  int64_t seen() const { return seen_; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void halve();

  int64_t max_bytes_;
  int64_t seen_ = 0, bytes_ = 0;
  uint64_t limit_ = ~uint64_t{0};
  std::vector<std::string> lines_;
  std::vector<uint64_t> numbers_;  // of lines_
};

}  // namespace heed
