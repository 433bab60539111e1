#include "plot/color.h"

#include <algorithm>
#include <cmath>

namespace heed {
namespace {

// Converts linear light to sRGB (IEC 61966-2-1).
double encode(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

// Converts OKLab in polar form (lightness 0..1, chroma, hue in radians) to sRGB.
Color from_oklch(double lightness, double chroma, double hue) {
  const double a = chroma * std::cos(hue);
  const double b = chroma * std::sin(hue);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

}  // namespace

Color shade(double weight) {
  constexpr double kHue = 4.5;  // blue
  const double t = std::clamp(weight, 0.0, 1.0);
  const double lightness = 0.975 - 0.655 * t;
  const double chroma = 0.006 + 0.22 * std::pow(t, 0.8) * (1 - 0.4 * t);
  return from_oklch(lightness, chroma, kHue);
}

}  // namespace heed
