#include "cli/bench_data.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <vector>

#include "base/log.h"
#include "base/numbers.h"
#include "base/random.h"
#include "cli/vocabularies.h"

namespace heed::cli {
namespace {

// Quantiles of the training set in steps of a twentieth: source length with </s>, and target length
// minus source length.
constexpr int kSourceLength[] = {5,  9,  10, 11, 12, 12, 13, 13, 14, 14, 15,
                                 15, 16, 17, 17, 18, 19, 20, 22, 25, 53};
constexpr int kDifference[] = {-17, -4, -3, -2, -2, -1, -1, -1, 0, 0, 0,
                               1,   1,  1,  2,  2,  3,  3,  4,  6, 19};

// A draw from the distribution with these quantiles, linear between them.
double draw(const int (&quantiles)[21], Random& random) {
  const double place = random.uniform() * 20;
  const int i = static_cast<int>(place);
  return quantiles[i] + (place - i) * (quantiles[i + 1] - quantiles[i]);
}

std::vector<TokenId> draw_ids(int64_t count, int64_t vocabulary, Random& random) {
  std::vector<TokenId> ids;
  const double largest = std::log(static_cast<double>(vocabulary - kEnd - 1));
  while (static_cast<int64_t>(ids.size()) < count)  // P(rank) ~ 1 / rank
    ids.push_back(static_cast<TokenId>(kEnd + std::floor(std::exp(random.uniform() * largest))));
  return ids;
}

bool text_is_there(const TextFiles& files) {
  const auto exists = [](const std::string& path) {
    if (!path.empty() && !std::filesystem::exists(path))
      spdlog::warn("{} is not there: measuring with generated ids", path);
    return !path.empty() && std::filesystem::exists(path);
  };
  return files.tsv.empty() ? exists(files.source) && exists(files.target) : exists(files.tsv);
}

}  // namespace

Config reference_config() {
  Config config;
  config.run.dir = "../runs/reference";
  config.model.decoder.input_feeding = false;
  config.model.decoder.readout = 512;
  config.train.batch_sentences = 80;
  return config;
}

BenchData bench_data(const Config& config) {
  const DataConfig& data = config.data;
  if (text_is_there(data.train)) {
    const Vocabularies vocabularies = make_vocabularies(data);
    CorpusReport report;
    std::error_code none;  // then the corpus stays in memory
    const CorpusStorage storage{.folder = std::filesystem::temp_directory_path(none).string(),
                                .folder_name = "TMPDIR"};
    Corpus corpus = read_corpus(data.train, *vocabularies.source, *vocabularies.target,
                                data.max_length, report, storage);
    const std::string pairs = format_thousands(corpus.size());
    return {std::move(corpus), vocabularies.source->size(), vocabularies.target->size(),
            pairs + " pairs of " + (data.train.tsv.empty() ? data.train.source : data.train.tsv)};
  }
  constexpr int64_t kPairs = 4000;
  const int64_t size = data.vocab_size;
  return {generated_corpus(kPairs, size, size, config.run.seed), size, size,
          "generated ids, lengths as in Multi30k"};
}

Corpus generated_corpus(int64_t pairs, int64_t source_vocabulary, int64_t target_vocabulary,
                        uint64_t seed) {
  Random random(seed, 0xbe9c);
  Corpus corpus;
  for (int64_t i = 0; i < pairs; ++i) {
    const double source = draw(kSourceLength, random);
    const double target = std::max(3.0, source + draw(kDifference, random));
    const auto without_end = [](double length) {
      return std::max<int64_t>(1, std::lround(length) - 1);
    };
    corpus.add(draw_ids(without_end(source), source_vocabulary, random),
               draw_ids(without_end(target), target_vocabulary, random));
  }
  return corpus;
}

}  // namespace heed::cli
