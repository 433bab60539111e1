// One file per verb. This is the only room that parses arguments, prints results and decides exit
// codes of the program.
#pragma once

#include <string>
#include <vector>

namespace heed::cli {

using Arguments = std::vector<std::string>;  // the words after the verb

// Each returns exit code 0 or throws; main reports errors in one line (UserError 1, UsageError 2).
int run_train(const Arguments& arguments);
int run_translate(const Arguments& arguments);
int run_serve(const Arguments& arguments);
int run_align(const Arguments& arguments);
int run_explain(const Arguments& arguments);
int run_score(const Arguments& arguments);
int run_evaluate(const Arguments& arguments);
int run_plot(const Arguments& arguments);
int run_vocab(const Arguments& arguments);
int run_shortlist(const Arguments& arguments);
int run_average(const Arguments& arguments);
int run_quantize(const Arguments& arguments);
int run_inspect(const Arguments& arguments);
int run_config(const Arguments& arguments);
int run_gradcheck(const Arguments& arguments);
int run_bench(const Arguments& arguments);

struct Verb {
  const char* name;
  const char* summary;
  int (*run)(const Arguments&);
};
const std::vector<Verb>& verbs();

}  // namespace heed::cli
