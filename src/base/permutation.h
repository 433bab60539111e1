// A pseudo-random permutation of the integers below n that needs no memory: any position of it can
// be computed at any time.
#pragma once

#include <array>
#include <cstdint>

namespace heed {

// A Feistel network (Luby, Rackoff: "How to construct pseudorandom permutations from pseudorandom
// functions", SIAM J. Comput. 1988) over all integers of an even number of bits. A result of n
// or more is encrypted again until it is below n ("cycle walking": Black, Rogaway: "Ciphers with
// arbitrary finite domains", CT-RSA 2002), which takes fewer than four passes on average if n
// is above 64.
class Permutation {
 public:
  Permutation(uint64_t n, uint64_t key);  // a pure function of both; n below 2^62

  // The integer at position i of the permutation. Requires i < n.
  uint64_t operator()(uint64_t i) const;

 private:
  static constexpr int kRounds = 8;

  uint64_t shuffled(uint64_t number) const;

  uint64_t n_;
  int half_bits_;
  std::array<uint64_t, kRounds> keys_;
};

}  // namespace heed
