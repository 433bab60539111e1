// A pseudo-random order of the numbers below n that takes no memory: any place of it can be asked
// for at any time.
#pragma once

#include <array>
#include <cstdint>

namespace heed {

// A Feistel network (Luby, Rackoff: "How to construct pseudorandom permutations from pseudorandom
// functions", SIAM J. Comput. 1988) over the numbers of an even count of bits. A result of n or
// more is put in again until one is below n ("cycle walking": Black, Rogaway: "Ciphers with
// arbitrary finite domains", CT-RSA 2002): less than four rounds of that on average where n is
// above 64.
class Permutation {
 public:
  Permutation(uint64_t n, uint64_t key);  // a pure function of both; n below 2^62

  // The number at place i of the order. Requires i < n.
  uint64_t operator()(uint64_t i) const;

 private:
  static constexpr int kRounds = 8;

  uint64_t shuffled(uint64_t number) const;

  uint64_t n_;
  int half_bits_;
  std::array<uint64_t, kRounds> keys_;
};

}  // namespace heed
