#include "decode/links.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/golden.h"

namespace heed {
namespace {

using Matrix = std::vector<std::vector<float>>;

Links parse(const std::string& text) {
  Links links;
  std::istringstream in(text);
  int64_t source = 0, target = 0;
  char dash = 0;
  while (in >> source >> dash >> target) links.emplace(source, target);
  return links;
}

// Source a b c </s>, target w x y z </s>: w from c, x from a, y from b (a tie, the first wins); z
// looks at </s>; the last row is </s>.
const Matrix& attention() {
  static const Matrix matrix = {{0.1F, 0.2F, 0.6F, 0.1F},
                                {0.7F, 0.1F, 0.1F, 0.1F},
                                {0, 0.4F, 0.4F, 0.2F},
                                {0.1F, 0.2F, 0.3F, 0.4F},
                                {0.9F, 0.1F, 0, 0}};
  return matrix;
}

TEST(Links, AreTheArgMaxOfEachTargetTokenInPharaohOrder) {
  EXPECT_EQ(links_text(links_of(attention())), "2-0 0-1 1-2");
}

TEST(Links, AreAllOfAtLeastTheThreshold) {
  EXPECT_EQ(links_text(links_of(attention(), 0.25)), "2-0 0-1 1-2 2-2 2-3");
  EXPECT_EQ(links_text(links_of(attention(), 0.65)), "0-1");
}

TEST(Links, AreEmptyForAnEmptySentence) {
  EXPECT_EQ(links_text(links_of({})), "");
  EXPECT_EQ(links_text(links_of({{1, 0}})), "");
}

TEST(Symmetrised, IsWhatMosesMakesOfThem) {
  const test::Golden golden = test::load_golden("symmetrise").at("cases");
  ASSERT_GE(golden.size(), 20U);
  const std::pair<const char*, Symmetry> all[] = {
      {"union", Symmetry::unite},
      {"intersection", Symmetry::intersection},
      {"grow-diag-final-and", Symmetry::grow_diag_final_and}};
  for (const auto& one : golden)
    for (const auto& [name, symmetry] : all) {
      const Links forward = parse(one.at("forward")), backward = parse(one.at("backward"));
      EXPECT_EQ(symmetrised(forward, backward, symmetry), parse(one.at(name)))
          << name << " of " << one.at("forward") << " and " << one.at("backward");
    }
}

}  // namespace
}  // namespace heed
