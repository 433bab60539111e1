#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "cli/verb.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace heed::cli {
namespace {

namespace fs = std::filesystem;

class Plot : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  std::string write(const std::string& name, const std::string& content) {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  // The names of the pictures, sorted.
  std::vector<std::string> pictures() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename();
      if (name.rfind("pic", 0) == 0) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  const std::string line_ =
      R"({"id": 0, "source": ["a", "</s>"], "target": ["x"], "attention": [[0.75, 0.25]]})"
      "\n";
  test::TempDir folder_;
};

using Names = std::vector<std::string>;

TEST_F(Plot, OneSentenceGoesToTheNamedFile) {
  EXPECT_EQ(run_plot({write("dump", line_), "--output", path("pic.png")}), 0);
  EXPECT_EQ(pictures(), Names{"pic.png"});
  EXPECT_EQ(read_file(path("pic.png")).substr(1, 3), "PNG");
}

TEST_F(Plot, SeveralSentencesGoToNumberedFiles) {
  run_plot({write("dump", line_ + line_ + line_), "--output", path("pic.svg"), "--lines", "1,3"});
  EXPECT_EQ(pictures(), (Names{"pic-1.svg", "pic-3.svg"}));
}

TEST_F(Plot, SeveralSentencesNeedAFileName) {
  const std::string dump = write("dump", line_ + line_);
  fs::create_directory(path("folder"));
  for (const std::string& output : {std::string("-"), std::string("/dev/null"), path("folder")}) {
    EXPECT_THROW(run_plot({dump, "--output", output, "--format", "png"}), UserError) << output;
  }
}

TEST_F(Plot, PdfTakesAllSentencesAsPages) {
  run_plot({write("dump", line_ + line_), "--output", path("pic"), "--format", "pdf"});
  EXPECT_EQ(pictures(), Names{"pic"});
  EXPECT_NE(read_file(path("pic")).find("/Count 2"), std::string::npos);
}

TEST_F(Plot, ARunDirectoryGivesItsLearningCurves) {
  fs::create_directory(path("run"));
  write("run/log.jsonl", "{\"type\":\"train\",\"update\":5,\"cross_entropy\":2.5}\n");
  run_plot({path("run"), "--output", path("pic.png")});
  EXPECT_EQ(pictures(), Names{"pic.png"});
}

TEST_F(Plot, SeveralRunDirectoriesGiveOnePicture) {
  for (const std::string run : {"a", "b"}) {
    fs::create_directory(path(run));
    write(run + "/log.jsonl", "{\"type\":\"valid\",\"update\":5,\"minutes\":2,\"bleu\":2.5}\n");
  }
  run_plot({path("a"), path("b"), "--against", "minutes", "--output", path("pic.svg")});
  EXPECT_EQ(pictures(), Names{"pic.svg"});
  EXPECT_THROW(run_plot({path("a"), write("dump", line_), "--output", path("x.svg")}), UserError);
}

TEST_F(Plot, WhatIsReadIsNotReplaced) {
  const std::string dump = write("dump.svg", line_);
  EXPECT_THROW(run_plot({dump, "--output", dump}), UsageError);
  EXPECT_THROW(run_plot({dump, "--output", dump, "--format", "pdf"}), UsageError);
  const std::string numbered = write("pic-2.svg", line_ + line_);
  EXPECT_THROW(run_plot({numbered, "--output", path("pic.svg")}), UsageError);
  fs::create_directory(path("run"));
  const std::string log =
      write("run/log.jsonl", "{\"type\":\"valid\",\"update\":5,\"bleu\":2.5}\n");
  EXPECT_THROW(run_plot({path("run"), "--output", log, "--format", "png"}), UsageError);
  EXPECT_EQ(read_file(dump), line_);
  EXPECT_EQ(fs::exists(path("pic-1.svg")), false);
}

TEST_F(Plot, AllSentencesGoIntoOnePage) {
  EXPECT_EQ(run_plot({write("dump", line_ + line_ + line_), "--output", path("pic.html")}), 0);
  EXPECT_EQ(pictures(), Names{"pic.html"});
  const std::string page = read_file(path("pic.html"));
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  run_plot({path("dump"), "--output", path("pic-2"), "--format", "html"});
  EXPECT_EQ(read_file(path("pic-2")), page);
  run_plot({path("dump"), "--output", path("pic-3.html"), "--lines", "2"});
  EXPECT_LT(read_file(path("pic-3.html")).size(), page.size());
}

TEST_F(Plot, RunDirectoriesGiveAPageWithCurvesAndSamples) {
  for (const std::string run : {"a", "b"}) {
    fs::create_directories(path(run + "/samples"));
    write(run + "/log.jsonl", "{\"type\":\"valid\",\"update\":5,\"minutes\":2,\"bleu\":2.5}\n");
    write(run + "/samples/update-00000005.txt",
          "source       one\nreference    un\ntranslation  sample of " + run + "\n\n");
    write(run + "/samples/update-00000005.jsonl", line_);
  }
  run_plot({path("a"), "--output", path("pic-1.html")});
  run_plot({path("a"), path("b"), "--against", "minutes", "--output", path("pic-2.html")});
  EXPECT_EQ(pictures(), (Names{"pic-1.html", "pic-2.html"}));
  const std::string one = read_file(path("pic-1.html")), both = read_file(path("pic-2.html"));
  EXPECT_NE(one.find("sample of a"), std::string::npos);
  EXPECT_EQ(one.find("sample of b"), std::string::npos);
  EXPECT_NE(both.find("sample of b"), std::string::npos);
  EXPECT_NE(both.find("minutes of training"), std::string::npos);
  const std::string sample = path("a/samples/update-00000005.jsonl");
  EXPECT_THROW(run_plot({path("a"), "--output", sample, "--format", "html"}), UsageError);
}

TEST_F(Plot, APageThatCannotBeWrittenIsAnErrorWithItsName) {
  const std::string dump = write("dump", line_);
  const std::string output = path("nowhere/pic.html");
  const std::string message = test::message_of<UserError>([&] {
    run_plot({dump, "--output", output});
  });
  EXPECT_NE(message.find(output), std::string::npos) << message;
  EXPECT_THROW(run_plot({write("empty", ""), "--output", path("pic.html")}), UserError);
  EXPECT_THROW(run_plot({dump, "--output", dump, "--format", "html"}), UsageError);
  EXPECT_EQ(read_file(dump), line_);
}

TEST_F(Plot, ALogWithoutMinutesSaysSo) {
  fs::create_directory(path("run"));
  const std::string log = write("run/log.jsonl", R"({"type": "valid", "update": 5, "bleu": 2.5})");
  const std::string message = test::message_of<UserError>([&] {
    run_plot({path("run"), "--against", "minutes", "--output", path("pic.png")});
  });
  EXPECT_EQ(message, log + " has no minutes: use --against updates");
}

TEST_F(Plot, WhatIsWrongWithAnInputIsToldWhateverTheFormat) {
  const auto message = [&](Arguments arguments, const std::string& output) {
    arguments.insert(arguments.end(), {"--output", path(output)});
    return test::message_of<UserError>(folder_, [&] { run_plot(arguments); });
  };
  for (const std::string output : {"pic.html", "pic.png"}) {
    EXPECT_EQ(message({write("bad", "{")}, output),
              "bad: not JSON; is the file cut or of another kind?");
    EXPECT_EQ(message({write("bad", "[]")}, output).find("bad has nothing to draw"), 0u);
    EXPECT_EQ(message({path("no"), path("other")}, output), "no: no such file or folder");
    EXPECT_EQ(message({write("dump", line_), path("other")}, output),
              "other: no such file or folder");
    EXPECT_EQ(message({path("no")}, output), "no: no such file or folder");
  }
}

TEST_F(Plot, WhatCannotBeDrawnIsAnErrorAndWritesNothing) {
  const std::string dump = write("dump", line_);
  EXPECT_THROW(run_plot({dump, dump, "--output", path("pic.png")}), UserError);
  EXPECT_THROW(run_plot({dump, "--against", "minutes", "--output", path("pic.png")}), UserError);
  EXPECT_THROW(run_plot({dump, "--output", path("pic.gif")}), UserError);
  EXPECT_THROW(run_plot({dump, "--output", path("pic")}), UserError);
  EXPECT_THROW(run_plot({dump, "--output", path("pic.png"), "--lines", "2"}), UserError);
  EXPECT_THROW(run_plot({write("cut", line_ + "{"), "--output", path("pic.png")}), UserError);
  EXPECT_THROW(run_plot({folder_.path(), "--output", path("pic.png")}), UserError);
  EXPECT_THROW(run_plot({path("missing"), "--output", path("pic.png")}), UserError);
  EXPECT_THROW(run_plot({dump, "--output", path("pic.html"), "--format", "htm"}), UsageError);
  EXPECT_THROW(run_plot({dump}), UsageError);
  EXPECT_EQ(pictures(), Names{});
}

}  // namespace
}  // namespace heed::cli
