// As many lines of a text of any length as fit into so much memory, picked at random.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed {

// Every line has a random number, a function of its place; kept are those with numbers below a
// limit, which is halved when the lines exceed the room. So each line is as likely to be there as
// any other, and a text that fits is there as a whole, in its order.
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
