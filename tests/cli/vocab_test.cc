#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_heed.h"
#include "text/make_vocabulary.h"

namespace heed {
namespace {

using test::ProgramRun;
using test::run_heed;
using test::TempDir;

std::string some_text() {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += fmt::format("the cat {} sees the dog {} on the mat\n", i * 37 % 101, i * 53 % 97);
  }
  return text;
}

TEST(VocabVerb, WritesAModelThatTrainingCanLoad) {
  const TempDir dir;
  write_file(dir.path() + "/a.txt", some_text());
  for (const std::string type : {"unigram", "bpe"}) {
    const std::string model = dir.path() + "/" + type + ".model";
    const ProgramRun run = run_heed("vocab --input " + dir.path() + "/a.txt " + dir.path() +
                                    "/a.txt --size 32 --type " + type + " --output " + model);
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, "");
    const auto vocabulary = load_sentencepiece(model);
    EXPECT_EQ(vocabulary->size(), 32);
    EXPECT_EQ(vocabulary->decode(vocabulary->encode("the cat sees the dog")),
              "the cat sees the dog");
  }
}

TEST(VocabVerb, AMissingTextIsNamedAndNothingIsWritten) {
  const TempDir dir;
  const ProgramRun run = run_heed("vocab --input " + dir.path() + "/none --size 40 --output " +
                                  dir.path() + "/m.model");
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err, "heed: " + dir.path() + "/none: cannot open: No such file or directory\n");
  EXPECT_NE(run_heed("--version; test -e " + dir.path() + "/m.model").code, 0);
}

}  // namespace
}  // namespace heed
