#include "cli/options.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "cli/help.h"
#include "support/message_of.h"

namespace heed::cli {
namespace {

using test::message_of;

// A verb with one option of each kind.
struct Fixture {
  std::string model, output = "-", format = "png", file;
  std::vector<std::string> inputs;
  int64_t beam = 5;
  double ratio = 1.5;
  bool words = false, colour = true;
  KeyValues keys, decode;
  Options options{"heed verb --model M FILE", "A verb."};

  Fixture() {
    options.text("model", model, "model")
        .text("output", output, "output")
        .list("input", inputs, "inputs")
        .integer("beam", beam, schema::at_least(1), "beam")
        .number("ratio", ratio, {}, "ratio")
        .flag("words", words, "words")
        .flag("colour", colour, "colour")
        .choice("format", format, {"png", "svg"}, "format")
        .positional("FILE", file, "a file")
        .decode_key("decode.max_length", decode)
        .decode_key("decode.length_penalty_form", decode)
        .config_keys(keys);
  }

  std::string refusal(const Arguments& arguments) {
    return message_of<UsageError>([&] { options.parse(arguments); });
  }
};

TEST(Options, KeepDefaultsWhereNothingIsGiven) {
  Fixture f;
  EXPECT_TRUE(f.options.parse({}));
  EXPECT_EQ(f.output, "-");
  EXPECT_EQ(f.beam, 5);
  EXPECT_TRUE(f.colour);
  EXPECT_FALSE(f.options.given("output"));
}

TEST(Options, TakeValuesAfterASpaceOrAnEqualSign) {
  Fixture f;
  f.options.parse({"--model", "m", "--beam=7", "--ratio", "-0.5", "--format=svg", "x"});
  EXPECT_EQ(f.model, "m");
  EXPECT_EQ(f.beam, 7);
  EXPECT_EQ(f.ratio, -0.5);
  EXPECT_EQ(f.format, "svg");
  EXPECT_EQ(f.file, "x");
  EXPECT_TRUE(f.options.given("beam"));
  EXPECT_TRUE(f.options.given("FILE"));
  EXPECT_FALSE(f.options.given("words"));
}

TEST(Options, ADashAndAnEmptyTextAreValues) {
  Fixture f;
  f.options.parse({"--output", "-", "--model", "", "-"});
  EXPECT_EQ(f.output, "-");
  EXPECT_EQ(f.model, "");
  EXPECT_EQ(f.file, "-");
  Fixture g;
  g.options.parse({"--output="});
  EXPECT_EQ(g.output, "");
}

TEST(Options, FlagsHaveFiveForms) {
  const auto words = [](const Arguments& arguments) {
    Fixture f;
    f.options.parse(arguments);
    return f.words;
  };
  EXPECT_TRUE(words({"--words"}));
  EXPECT_TRUE(words({"--words", "true"}));
  EXPECT_TRUE(words({"--words=yes"}));
  EXPECT_FALSE(words({"--words", "false"}));
  EXPECT_FALSE(words({"--words=false"}));
  EXPECT_FALSE(words({"--no-words"}));
  Fixture f;
  f.options.parse({"--no-colour"});
  EXPECT_FALSE(f.colour);
  EXPECT_EQ(f.refusal({"--words=maybe"}), "--words: 'maybe' is not a boolean: write true or false");
}

TEST(Options, ABareFlagDoesNotSwallowAFileName) {
  Fixture f;
  f.options.parse({"--words", "truth.txt", "--data.lowercase", "--beam", "2"});
  EXPECT_TRUE(f.words);
  EXPECT_EQ(f.file, "truth.txt");
  EXPECT_EQ(f.beam, 2);
  EXPECT_EQ(f.keys, (KeyValues{{"data.lowercase", "true"}}));
}

TEST(Options, AfterTwoDashesEverythingIsAnArgument) {
  Fixture f;
  f.options.parse({"--words", "--", "true"});
  EXPECT_TRUE(f.words);
  EXPECT_EQ(f.file, "true");
}

TEST(Options, AListTakesSeveralWordsAndMayBeRepeated) {
  Fixture f;
  f.inputs = {"default"};
  f.options.parse({"--input", "a", "b", "--beam", "1", "--input", "c", "--input=d"});
  EXPECT_EQ(f.inputs, (std::vector<std::string>{"a", "b", "c", "d"}));
}

TEST(Options, ConfigKeysAreCollectedInOrder) {
  Fixture f;
  f.options.parse({"--train.epochs", "3", "--no-data.shared_vocab", "--train.epochs=4",
                   "--train.learning_rate", "-1", "--run.dir", ""});
  EXPECT_EQ(f.keys, (KeyValues{{"train.epochs", "3"},
                               {"data.shared_vocab", "false"},
                               {"train.epochs", "4"},
                               {"train.learning_rate", "-1"},
                               {"run.dir", ""}}));
}

TEST(Options, UnknownOptionsTellTheNearestName) {
  Fixture f;
  EXPECT_EQ(f.refusal({"--modle", "m"}), "unknown option '--modle' (did you mean '--model'?)");
  EXPECT_EQ(f.refusal({"--no-colour=3"}), "--no-colour takes no value");
  EXPECT_EQ(f.refusal({"--no-color"}), "unknown option '--no-color' (did you mean '--no-colour'?)");
  EXPECT_EQ(f.refusal({"--train.epoch=3"}),
            "unknown option '--train.epoch' (did you mean '--train.epochs'?)");
  EXPECT_EQ(f.refusal({"--epochs", "3"}),
            "unknown option '--epochs' (did you mean '--train.epochs'?)");
  EXPECT_EQ(f.refusal({"--qqqqqqqqqq"}), "unknown option '--qqqqqqqqqq'");
  EXPECT_EQ(f.refusal({"-qqqqqqqqqq"}), "unknown option '-qqqqqqqqqq'");
  EXPECT_TRUE(f.refusal({"---"}).starts_with("unknown option '--"));
}

TEST(Options, DoNotGuessFromAPrefix) {
  Fixture f;
  EXPECT_TRUE(f.refusal({"--mod", "m"}).starts_with("unknown option '--mod'"));
  EXPECT_TRUE(f.refusal({"--word"}).starts_with("unknown option '--word'"));
  EXPECT_TRUE(f.refusal({"--train.learning"}).starts_with("unknown option '--train.learning'"));
  EXPECT_TRUE(f.refusal({"--Model", "m"}).starts_with("unknown option '--Model'"));
}

TEST(Options, AnOptionIsNeverTakenForAValue) {
  Fixture f;
  EXPECT_EQ(f.refusal({"--model", "--otput", "o"}),
            "unknown option '--otput' (did you mean '--output'?)");
  EXPECT_EQ(f.refusal({"--model", "--beam", "3"}), "--model needs a value");
  EXPECT_EQ(f.refusal({"--model", "--words"}), "--model needs a value");
  EXPECT_EQ(f.refusal({"--model"}), "--model needs a value");
  EXPECT_EQ(f.refusal({"--train.epochs"}), "--train.epochs needs a value");
  EXPECT_EQ(f.refusal({"--train.epochs", "--", "3"}), "--train.epochs needs a value");
}

TEST(Options, ValuesThatDoNotFitNameTheOption) {
  EXPECT_EQ(Fixture().refusal({"--beam", "abc"}), "--beam: 'abc' is not an integer");
  EXPECT_EQ(Fixture().refusal({"--beam", "0"}), "--beam: 0 is not allowed: it must be >= 1");
  EXPECT_EQ(Fixture().refusal({"--ratio", "x"}), "--ratio: 'x' is not a number");
  EXPECT_EQ(Fixture().refusal({"--ratio", "inf"}), "--ratio: 'inf' is not a number");
  EXPECT_EQ(Fixture().refusal({"--format", "pgn"}),
            "--format: 'pgn' is not one of: png, svg (did you mean 'png'?)");
  EXPECT_EQ(Fixture().refusal({"--beam", "1", "--beam", "2"}), "--beam is given twice");
  EXPECT_EQ(Fixture().refusal({"a", "b"}), "unexpected argument 'b'");
}

TEST(Options, RequiredOnesMustBeGiven) {
  Fixture f;
  f.options.required("model").required("FILE");
  EXPECT_EQ(f.refusal({}), "--model is required");
  EXPECT_EQ(f.refusal({"--model", "m"}), "FILE is required");
  Fixture g;
  g.options.required("model").required("FILE");
  EXPECT_TRUE(g.options.parse({"f", "--model", ""}));
}

TEST(Options, HelpIsPrintedWhateverElseIsWrong) {
  Fixture f;
  f.options.required("model");
  testing::internal::CaptureStdout();
  EXPECT_FALSE(f.options.parse({"--beam", "abc", "--help"}));
  const std::string text = testing::internal::GetCapturedStdout();
  for (const char* part :
       {"usage: heed verb --model M FILE", "A verb.", "--format png|svg", "(default: 5)", "a file",
        "--max-length N", "--length-penalty-form gnmt|power", "--help-keys lists them all"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(Options, HelpOnKeysListsEveryConfigKey) {
  Fixture f;
  testing::internal::CaptureStdout();
  EXPECT_FALSE(f.options.parse({"--help-keys"}));
  const std::string text = testing::internal::GetCapturedStdout();
  for (const Key& key : config_keys())
    EXPECT_NE(text.find("--" + key.name + " "), std::string::npos) << key.name;
  EXPECT_NE(text.find("--model.encoder.cell gru|lstm"), std::string::npos) << text;
}

TEST(Options, ADecodeKeyHasTheRuleOfTheSchema) {
  Fixture f;
  EXPECT_TRUE(f.options.parse({"--max-length", "7", "--length-penalty-form=power"}));
  EXPECT_EQ(f.decode,
            (KeyValues{{"decode.max_length", "7"}, {"decode.length_penalty_form", "power"}}));
  EXPECT_TRUE(f.options.given("max-length"));
  EXPECT_EQ(Fixture().refusal({"--max-length", "-1"}),
            "--max-length: -1 is not allowed: it must be >= 0 and <= 2147483647");
  EXPECT_EQ(Fixture().refusal({"--max-length", "x"}), "--max-length: 'x' is not an integer");
  EXPECT_EQ(Fixture().refusal({"--length-penalty-form", "powr"}),
            "--length-penalty-form: 'powr' is not one of: gnmt, power (did you mean 'power'?)");
  EXPECT_EQ(Fixture().refusal({"--max-length", "1", "--max-length", "1"}),
            "--max-length is given twice");
}

TEST(Help, WrapsAtTheWidthAndKeepsLineBreaks) {
  EXPECT_EQ(wrapped("one two\n  three four five\n", 12), "one two\n  three four\n  five\n");
  EXPECT_EQ(wrapped("a bb ccc", 4, 2), "a bb\n  ccc\n");
  EXPECT_EQ(wrapped("\nabcdefgh", 4), "\nabcdefgh\n");
  EXPECT_EQ(wrapped_rows({{"--x N", "first second"}}, 40), "  --x N               first second\n");
  EXPECT_EQ(wrapped_rows({{"--x N", "first second"}}, 31),
            "  --x N               first\n                      second\n");
}

}  // namespace
}  // namespace heed::cli
