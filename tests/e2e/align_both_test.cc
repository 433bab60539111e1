// heed align with a model of each direction, through the program.
#include <gtest/gtest.h>

#include <sstream>

#include "decode/links.h"
#include "decode/saved_random_model.h"
#include "support/run_heed.h"

namespace heed {
namespace {

using test::ProgramRun;

class AlignBoth : public ::testing::Test {
 protected:
  AlignBoth() {
    test::save_random_model(dir_.file("m"));
    test::save_random_model(dir_.file("r"), {.style = "luong"}, 9);
    dir_.write("s", "a b c\n\nd e\nf g h i a b\n");
    dir_.write("t", "e f\ng\nh i a\nb c d e f\n");
  }
  ProgramRun run(const std::string& words) const { return test::run_heed_in(dir_, words); }
  ProgramRun align(const std::string& options) const {
    return run("align --model @m --source @s --target @t " + options);
  }

  test::TempDir dir_;
};

std::vector<Links> parse(const std::string& text) {
  std::vector<Links> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream in(line);
    int64_t source = 0, target = 0;
    char dash = 0;
    Links& links = all.emplace_back();
    while (in >> source >> dash >> target) links.emplace(source, target);
  }
  return all;
}

TEST_F(AlignBoth, PutsTheLinksOfBothDirectionsTogether) {
  const auto forward = parse(align("").out);
  const auto backward = parse(run("align --model @r --source @t --target @s").out);
  const std::pair<std::string, Symmetry> all[] = {
      {"--symmetrize union", Symmetry::unite},
      {"--symmetrize intersection", Symmetry::intersection},
      {"", Symmetry::grow_diag_final_and}};
  for (const auto& [option, symmetry] : all) {
    const ProgramRun done = align("--reverse-model @r " + option);
    ASSERT_EQ(done.code, 0) << done.err;
    const auto found = parse(done.out);
    ASSERT_EQ(found.size(), 4U);
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i], symmetrised(forward[i], transposed(backward[i]), symmetry)) << option;
  }
}

TEST_F(AlignBoth, AttentionIsThatOfTheFirstModel) {
  align("--attention @a");
  align("--reverse-model @r --words --attention @b");
  EXPECT_EQ(dir_.read("a"), dir_.read("b"));
}

TEST_F(AlignBoth, MistakesAreToldInOneLine) {
  EXPECT_EQ(align("--symmetrize union").code, 2);
  EXPECT_EQ(align("--reverse-model @r --symmetrize most").code, 2);
  EXPECT_EQ(align("--link-threshold 1.5").code, 2);
  EXPECT_EQ(align("--reverse-model @none").code, 1);
  test::save_random_model(dir_.file("r"), {.score = "none"});
  EXPECT_NE(align("--reverse-model @r").err.find("no attention"), std::string::npos);
}

}  // namespace
}  // namespace heed
