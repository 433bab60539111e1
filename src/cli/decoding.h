// What translate, align and score share: choice of the model and files of alignments.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/files.h"
#include "cli/options.h"
#include "decode/alignment.h"
#include "decode/forced.h"
#include "decode/links.h"
#include "train/checkpoint.h"

namespace heed::cli {

// --threads, --device, --precision.
struct MachineChoice {
  std::string device = "auto", precision = "model";
  bool force_precision = false;
  int64_t threads = 0;

  void declare(Options& options);
  // Sets the threads and checks the device.
  void prepare() const;
  // After prepare(). Throws UserError as load_model does.
  LoadedModel load_one(const std::string& path) const;
  // "4 threads, CPU, AVX2 kernels, oneDNN, int8", for the log.
  std::string describe(const LoadedModel& loaded) const;
};

// The decode section of a model's config, with given keys of it (Options::decode_key) over it.
DecodeConfig with_keys(const DecodeConfig& model, const KeyValues& keys);

// Must not outlive the model.
Direction direction_of(const LoadedModel& loaded);

// Throws UserError if a model has no attention, which `needed_by` needs.
void require_attention(bool has_attention, const std::string& path, const std::string& needed_by);

// --model and those of MachineChoice.
struct ModelChoice : MachineChoice {
  std::string model;

  void declare(Options& options);
  LoadedModel load() const;
};

// --attention, --links, --words, --link-threshold.
struct AlignmentChoice {
  std::string attention, links;  // paths; "": not wanted
  bool words = false;
  double link_threshold = 0;

  void declare(Options& options);
  bool wanted() const { return !attention.empty() || !links.empty(); }
  // Throws UsageError for a path that is given twice or that is read. `output`: the file of other
  // results, "" for none. in_output: that file has alignments too, so --words is enough.
  void check(const std::string& output, const std::vector<NamedFile>& read,
             bool in_output = false) const;
};

// Writes what an AlignmentChoice asks for. The files appear when commit() is called.
class AlignmentFiles {
 public:
  explicit AlignmentFiles(const AlignmentChoice& choice);
  // Throws UserError for a model without attention. `loaded` must outlive this.
  void use(const LoadedModel& loaded, bool has_attention, const std::string& path);
  void write(const AlignedSentence& sentence);
  // The same with the caller's links between the tokens of shown().
  void write(const AlignedSentence& shown, const Links& links);
  // The sentence as it is written, with words if --words is given.
  AlignedSentence shown(const AlignedSentence& sentence) const;
  void flush();
  void commit();

 private:
  AlignmentChoice choice_;
  const Vocabulary* source_ = nullptr;
  const Vocabulary* target_ = nullptr;
  std::unique_ptr<Output> attention_, links_;  // null: not wanted
};

}  // namespace heed::cli
