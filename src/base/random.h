// Random numbers that are the same on every platform: Philox4x32-10, a counter-based generator
// (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
// A draw is a pure function of (seed, stream, counter), so any draw can be made by any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heed {

// The Philox bijection with ten rounds: four random words for a counter and a key.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

// A 64-bit hash of two integers (the SplitMix64 finaliser), used to derive one stream
// from several values.
uint64_t mix(uint64_t a, uint64_t b);

// A sequence of draws. Copyable; its whole state is (seed, stream, position).
class Random {
 public:
  explicit Random(uint64_t seed, uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  uint32_t next();             // uniform over all 32-bit words
  double uniform();            // [0, 1), 53 bits
  double normal();             // mean 0, variance 1 (Box-Muller, one value per call)
  uint64_t below(uint64_t n);  // uniform in [0, n), without bias; n > 0

 private:
  uint64_t seed_;
  uint64_t stream_;
  uint64_t position_ = 0;  // words drawn so far
  std::array<uint32_t, 4> block_{};
};

// Fisher-Yates. The same generator gives the same order on every platform.
template <typename T>
void shuffle(std::vector<T>& items, Random& random) {
  for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

}  // namespace heed
