// Rounding sizes up to a multiple, for example of a cache line or a tile.
#pragma once

#include <concepts>

namespace heed {

// The smallest multiple of `step` that is at least `n`. Requires n >= 0 and step > 0.
template <std::integral T>
constexpr T round_up(T n, T step) {
  return (n + step - 1) / step * step;
}

}  // namespace heed
