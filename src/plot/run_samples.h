// Reads RUN_DIR/samples: the translations of a few validation sentences at each validation
// of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plot/attention_dump.h"

namespace heed {

struct SampleVersion {
  std::string translation;
  std::optional<AttentionRecord> attention;  // not set for models without attention and empty lines
};

struct SampleSentence {
  std::string source, reference;
  std::vector<std::optional<SampleVersion>> versions;  // one per element of RunSamples::updates
};

struct RunSamples {
  std::vector<int64_t> updates;  // of the validations, ascending
  std::vector<SampleSentence> sentences;
};

// The files that read_samples() reads, update-NUMBER.txt and .jsonl, sorted by name.
std::vector<std::string> sample_files(const std::string& run_directory);

// Both lists are empty if there are no samples. Throws UserError "FILE:LINE: ..." if a file is not
// in the format that a validation writes.
RunSamples read_samples(const std::string& run_directory);

}  // namespace heed
