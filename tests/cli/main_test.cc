// The built program: exit codes, one-line messages, what goes to which stream.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/verb.h"
#include "config/schema.h"
#include "support/run_heed.h"

namespace heed::cli {
namespace {

using test::ProgramRun;
using test::run_heed;
using test::TempDir;

void expect_refusal(const std::string& arguments, int code, const std::string& message) {
  const ProgramRun run = run_heed(arguments);
  EXPECT_EQ(run.code, code) << arguments;
  EXPECT_EQ(run.out, "") << arguments;
  EXPECT_EQ(run.err, "heed: " + message + "\n") << arguments;
}

TEST(Program, PrintsItsVersion) {
  const ProgramRun run = run_heed("--version");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "heed " HEED_VERSION "\n");
  EXPECT_EQ(run.err, "");
}

TEST(Program, HelpNamesEveryVerb) {
  const ProgramRun run = run_heed("--help");
  EXPECT_EQ(run.code, 0);
  for (const char* verb :
       {"train", "translate", "align", "explain", "score", "evaluate", "plot", "vocab", "shortlist",
        "average", "quantize", "serve", "inspect", "config", "gradcheck", "bench"}) {
    EXPECT_NE(run.out.find(std::string("\n  ") + verb + " "), std::string::npos) << verb;
  }
}

TEST(Program, HelpAndVersionHaveShortForms) {
  const std::string help = run_heed("--help").out;
  for (const char* words : {"-h", "help"}) EXPECT_EQ(run_heed(words).out, help) << words;
  EXPECT_EQ(run_heed("-V").out, run_heed("--version").out);
  for (const Verb& verb : verbs()) {
    const std::string name = verb.name, of_verb = run_heed(name + " --help").out;
    EXPECT_EQ(run_heed(name + " -h").out, of_verb) << name;
    EXPECT_EQ(run_heed("help " + name).out, of_verb) << name;
  }
  expect_refusal("help trian", 2, "unknown verb 'trian' (did you mean 'train'?); see heed --help");
}

TEST(Program, HelpFitsOnAPage) {
  for (const Verb& verb : verbs()) {
    std::istringstream help(run_heed(std::string(verb.name) + " --help").out);
    int lines = 0;
    for (std::string line; std::getline(help, line); ++lines)
      EXPECT_LE(line.size(), 100U) << verb.name << ": " << line;
    EXPECT_LE(lines, 60) << verb.name;
  }
}

TEST(Program, VerbsThatTakeKeysListThem) {
  for (const std::string verb : {"train", "config", "bench"}) {
    const ProgramRun run = run_heed(verb + " --help-keys");
    EXPECT_EQ(run.code, 0) << verb;
    for (const Key& key : config_keys())
      EXPECT_NE(run.out.find("--" + key.name + " "), std::string::npos) << verb << key.name;
    EXPECT_NE(run_heed(verb + " --help").out.find("--help-keys"), std::string::npos) << verb;
  }
  EXPECT_EQ(run_heed("translate --help-keys").code, 2);
}

TEST(Program, EveryVerbHasHelp) {
  EXPECT_EQ(verbs().size(), 16u);
  for (const Verb& verb : verbs()) {
    const ProgramRun run = run_heed(std::string(verb.name) + " --help");
    EXPECT_EQ(run.code, 0) << verb.name;
    EXPECT_TRUE(run.out.starts_with(std::string("usage: heed ") + verb.name)) << verb.name << "\n"
                                                                              << run.out;
    EXPECT_NE(run.out.find("--help"), std::string::npos) << verb.name;
    EXPECT_EQ(run.err, "") << verb.name;
  }
}

TEST(Program, EveryVerbRefusesAnUnknownOption) {
  for (const Verb& verb : verbs()) {
    expect_refusal(
        std::string(verb.name) + " --qqqqqqqqqqqq", 2,
        std::string("unknown option '--qqqqqqqqqqqq'; see heed ") + verb.name + " --help");
  }
}

TEST(Program, WrongUsageIsOneLineAndExitCode2) {
  expect_refusal("", 2, "no verb is given; see heed --help");
  expect_refusal("trian", 2, "unknown verb 'trian' (did you mean 'train'?); see heed --help");
  expect_refusal("qqqqqqqq", 2, "unknown verb 'qqqqqqqq'; see heed --help");
  expect_refusal("config --run.treads 2", 2,
                 "unknown option '--run.treads' (did you mean '--run.threads'?); see heed config "
                 "--help");
  expect_refusal("vocab --size 9", 2, "--input is required; see heed vocab --help");
}

TEST(Program, UserErrorsAreOneLineAndExitCode1) {
  const TempDir dir;
  const std::string path = dir.path() + "/c.yaml";
  expect_refusal("config " + path, 1, path + ": cannot open: No such file or directory");
  write_file(path, "decode:\n  beam: abc\n");
  expect_refusal("config " + path, 1, path + ":2: decode.beam: 'abc' is not an integer");
  write_file(path, "decode: {\n");
  const ProgramRun run = run_heed("config " + path);
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

TEST(Program, AFullDiskOrClosedPipeIsAnError) {
  const TempDir dir;
  const std::string text = dir.path() + "/text";
  write_file(text, "a b c d\n");
  for (const std::string& verb :
       {std::string("config"), "evaluate --reference " + text + " --hypothesis " + text}) {
    const ProgramRun full = run_heed(verb + " >/dev/full");
    EXPECT_EQ(full.code, 1);
    EXPECT_EQ(full.err, "heed: standard output: cannot write: No space left on device\n");
  }
  // The reader is gone before the program starts; a signal would give a code above 128.
  const ProgramRun closed = run_heed("--version >/dev/null; { sleep 0.2; " HEED_BINARY_DIR
                                     "/heed config; echo $? >&2; } | true");
  EXPECT_EQ(closed.err, "heed: standard output: cannot write: Broken pipe\n1\n");
}

TEST(ConfigVerb, CommandLineWinsOverFileWinsOverDefaults) {
  const TempDir dir;
  const std::string path = dir.path() + "/c.yaml";
  write_file(path, "train: {epochs: 3, updates: 8}\nrun: {dir: r}\n");
  const ProgramRun run = run_heed("config " + path + " --train.epochs 4 --no-data.shared_vocab");
  ASSERT_EQ(run.code, 0) << run.err;
  const Config config = parse_config(run.out, "out", "");
  EXPECT_EQ(config.train.epochs, 4);
  EXPECT_EQ(config.train.updates, 8);
  EXPECT_EQ(config.train.valid_every, Config().train.valid_every);
  EXPECT_FALSE(config.data.shared_vocab);
  EXPECT_TRUE(config.run.dir.ends_with("/r"));
  EXPECT_TRUE(run.out.ends_with("\n") && !run.out.ends_with("\n\n"));
}

TEST(ConfigVerb, ReadsStandardInput) {
  const TempDir dir;
  const std::string path = dir.path() + "/c.yaml";
  write_file(path, "train: {epochs: 3}\n");
  for (const char* name : {"-", "/dev/stdin"}) {
    const ProgramRun run = run_heed(std::string("config ") + name + " --run.seed 7 <" + path);
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(parse_config(run.out, "out", "").train.epochs, 3);
    EXPECT_EQ(parse_config(run.out, "out", "").run.seed, 7u);
  }
}

TEST(ConfigVerb, ChecksTheRulesAcrossKeys) {
  expect_refusal("config --model.tied_embeddings all --no-data.shared_vocab", 1,
                 "model.tied_embeddings all needs data.shared_vocab: true (or use target)");
}

TEST(ConfigVerb, PrintsTheReference) {
  const ProgramRun run = run_heed("config --reference");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, config_reference());
  expect_refusal("config --reference --run.seed 1", 2,
                 "--reference describes all keys: it takes no config file and no keys; see heed "
                 "config --help");
}

}  // namespace
}  // namespace heed::cli
