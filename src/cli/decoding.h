// What translate, align and score share: the model to use, and files of alignments.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/files.h"
#include "cli/options.h"
#include "decode/alignment.h"
#include "train/checkpoint.h"

namespace heed::cli {

// --model, --threads, --device, --precision.
struct ModelChoice {
  std::string model, device = "auto", precision = "model";
  bool force_precision = false;
  int64_t threads = 0;

  void declare(Options& options);
  // Sets the threads, checks the device, and loads. Throws UserError as load_model does.
  LoadedModel load() const;
};

// "4 threads, CPU, AVX2 kernels, oneDNN, int8", for the log.
std::string describe_machine(const ModelChoice& choice, const LoadedModel& loaded);

// --attention, --links, --words.
struct AlignmentChoice {
  std::string attention, links;  // paths; "": not wanted
  bool words = false;

  void declare(Options& options);
  bool wanted() const { return !attention.empty() || !links.empty(); }
  // Throws UsageError for one path twice, and for one that is read. `output`: where else results
  // go,
  // "" for nowhere.
  void check(const std::string& output, const std::vector<NamedFile>& read) const;
};

// Writes what an AlignmentChoice asks for. The files appear when commit() is called.
class AlignmentFiles {
 public:
  explicit AlignmentFiles(const AlignmentChoice& choice);
  // Throws UserError for a model without attention. `loaded` must outlive this.
  void use(const LoadedModel& loaded, const std::string& path);
  void write(const AlignedSentence& sentence);
  void flush();
  void commit();

 private:
  AlignmentChoice choice_;
  const Vocabulary* source_ = nullptr;
  const Vocabulary* target_ = nullptr;
  std::unique_ptr<Output> attention_, links_;  // null: not wanted
};

}  // namespace heed::cli
