// What `heed bench` trains on where no data is given: ids at random, lengths as in Multi30k.
#pragma once

#include <cstdint>

#include "config/config.h"
#include "text/corpus.h"

namespace heed::cli {

// The sizes at which speed is compared: configs/reference.yaml.
Config reference_config();

// Pairs whose lengths follow those of Multi30k English-German in 8,000 joint pieces (mean 15.7
// and 16.2 tokens with
// </s>). Token ids are drawn by Zipf's law from the vocabulary.
Corpus generated_corpus(int64_t pairs, int64_t source_vocabulary, int64_t target_vocabulary,
                        uint64_t seed);

}  // namespace heed::cli
