// Reading RUN_DIR/samples: what a run translated a few validation sentences to, validation by
// validation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plot/attention_dump.h"

namespace heed {

struct SampleVersion {
  std::string translation;
  std::optional<AttentionRecord> attention;  // none without attention, or of an empty line
};

struct SampleSentence {
  std::string source, reference;
  std::vector<std::optional<SampleVersion>> versions;  // one for each of RunSamples::updates
};

struct RunSamples {
  std::vector<int64_t> updates;  // of the validations, rising
  std::vector<SampleSentence> sentences;
};

// The files that read_samples reads, update-NUMBER.txt and .jsonl, by their names.
std::vector<std::string> sample_files(const std::string& run_directory);

// Without samples both lists are empty. Throws UserError "FILE:LINE: ..." where a file is not what
// a validation writes.
RunSamples read_samples(const std::string& run_directory);

}  // namespace heed
