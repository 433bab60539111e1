#include "base/random.h"

#include <cmath>
#include <numbers>

#include "base/error.h"

namespace heed {
namespace {

uint64_t finalise(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

constexpr uint64_t kGolden = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio

uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }
uint32_t high(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

}  // namespace

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  constexpr int kRounds = 10;
  constexpr uint64_t kMultiply0 = 0xd2511f53, kMultiply1 = 0xcd9e8d57;
  constexpr uint32_t kWeyl0 = 0x9e3779b9, kWeyl1 = 0xbb67ae85;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product0 = kMultiply0 * counter[0];
    const uint64_t product1 = kMultiply1 * counter[2];
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1),
               high(product0) ^ counter[3] ^ key[1], low(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

uint64_t mix(uint64_t a, uint64_t b) { return finalise(finalise(a + kGolden) + kGolden + b); }

uint32_t Random::next() {
  const uint64_t word = position_ % 4;
  if (word == 0) {
    const uint64_t block = position_ / 4;
    block_ = philox4x32({low(block), high(block), low(stream_), high(stream_)},
                        {low(seed_), high(seed_)});
  }
  ++position_;
  return block_[word];
}

double Random::uniform() {
  const uint64_t top = next() >> 5;     // 27 bits
  const uint64_t bottom = next() >> 6;  // 26 bits
  return static_cast<double>((top << 26) | bottom) * 0x1p-53;
}

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

uint64_t Random::below(uint64_t n) {
  check(n > 0, "[Random::below] n must be above 0");
  // Rejecting the lowest 2^64 mod n words makes every remainder equally likely.
  const uint64_t rejected = (0 - n) % n;
  while (true) {
    const uint64_t upper = next();
    const uint64_t word = (upper << 32) | next();
    if (word >= rejected) return word % n;
  }
}

}  // namespace heed
