// The program: finds the verb, runs it, and turns what was thrown into one line and an exit code
// (0 done, 1 an error the user can correct, 2 wrong usage).
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/parallel.h"
#include "base/write_all.h"
#include "cli/verb.h"

namespace heed::cli {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

int report(int code, std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  fmt::print(stderr, "heed: {}\n", message);
  return code;
}

int print(const std::string& text) {
  Output out("-");
  out.line(text);
  out.commit();
  return kDone;
}

std::string program_help() {
  std::string text =
      "heed trains, runs and inspects attentional translation models.\n\nusage: heed VERB ...\n\n";
  for (const Verb& verb : verbs()) text += fmt::format("  {:<10} {}\n", verb.name, verb.summary);
  return text +
         "\nheed VERB --help (or heed help VERB) prints the options of a verb, heed --version the "
         "version.";
}

const Verb& find_verb(const std::string& name) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    if (name == verb.name) return verb;
    names.emplace_back(verb.name);
  }
  const std::string near = nearest_name(name, names);
  const std::string hint = near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
  throw UsageError(fmt::format("unknown verb '{}'{}", name, hint));
}

int run(const Arguments& words) {
  if (words.empty()) throw UsageError("no verb is given");
  const std::string& first = words[0];
  if (first == "--version" || first == "-V") return print("heed " HEED_VERSION);
  if (first == "help" && words.size() > 1) return find_verb(words[1]).run({"--help"});
  if (first == "--help" || first == "-h" || first == "help") return print(program_help());
  return find_verb(words[0]).run({words.begin() + 1, words.end()});
}

// "heed train" if the verb is known, for the hint of a usage error.
std::string known_command(const Arguments& words) {
  for (const Verb& verb : verbs()) {
    if (!words.empty() && words[0] == verb.name) return "heed " + words[0];
  }
  return "heed";
}

int run_and_report(const Arguments& words) {
  try {
    const int code = run(words);
    if (std::fflush(stdout) != 0) fail("standard output: cannot write: {}", error_text(errno));
    return code;
  } catch (const UserError& error) {
    return report(kFailed, error.what());
  } catch (const UsageError& error) {
    return report(kWrongUsage,
                  fmt::format("{}; see {} --help", error.what(), known_command(words)));
  } catch (const std::bad_alloc&) {
    return report(kFailed,
                  "out of memory: lower train.batch_tokens (or train.batch_sentences) in training, "
                  "--batch-tokens in translation, or the sizes of the model");
  } catch (const std::exception& error) {
    return report(kFailed, fmt::format("internal error: {}", error.what()));
  } catch (...) {
    return report(kFailed, "internal error: unknown exception");
  }
}

}  // namespace
}  // namespace heed::cli

int main(int argc, char** argv) {
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then a write error, reported in one line
#endif
  heed::return_large_blocks();
  heed::flush_denormals();
  heed::start_log();
  return heed::cli::run_and_report({argv + 1, argv + argc});
}
