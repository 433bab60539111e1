// Colours of the pictures: a scale of blues for weights, and line colours that colour-blind
// readers can distinguish.
#pragma once

namespace heed {

struct Color {
  double red = 0, green = 0, blue = 0;  // sRGB, 0 to 1
};

// The colour of a weight, from near white for 0 to deep blue for 1. Perceived lightness falls
// linearly (OKLab; Ottosson 2020), so the scale reads the same in grey and with any colour vision.
// Weights outside [0, 1] are clamped.
Color shade(double weight);

inline constexpr Color kInk{0.13, 0.14, 0.17};    // text
inline constexpr Color kFaint{0.56, 0.58, 0.62};  // less prominent text
inline constexpr Color kLine{0.80, 0.82, 0.85};   // frames and grids
inline constexpr Color kPaper{1, 1, 1};
// The palette of Okabe and Ito (2008), for lines: blue, vermilion, bluish green, reddish purple,
// orange, sky blue.
inline constexpr Color kLineColors[] = {{0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45},
                                        {0.80, 0.47, 0.65}, {0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}};

}  // namespace heed
