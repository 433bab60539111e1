// What `heed bench` trains on: the text of a config, or ids at random with the lengths of Multi30k.
#pragma once

#include <cstdint>
#include <string>

#include "config/config.h"
#include "text/corpus.h"

namespace heed::cli {

// The sizes at which speed is compared: configs/reference.yaml.
Config reference_config();

struct BenchData {
  Corpus corpus;
  int64_t source_vocabulary, target_vocabulary;  // entries
  std::string description;                       // for the report
};

// data.train of the config, in its vocabulary; generated if the config names no text or
// its files do not exist.
BenchData bench_data(const Config& config);

// Pairs with the length distribution of Multi30k English-German in 8,000 joint pieces (means of
// 15.7 and 16.2 tokens with </s>). Token ids follow Zipf's law.
Corpus generated_corpus(int64_t pairs, int64_t source_vocabulary, int64_t target_vocabulary,
                        uint64_t seed);

}  // namespace heed::cli
