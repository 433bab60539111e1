// What the server does, without HTTP: text in, JSON out.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "decode/ensemble.h"
#include "serve/answer.h"
#include "serve/batcher.h"
#include "serve/metrics.h"
#include "serve/request.h"

namespace heed::serve {

struct ServiceOptions {
  SearchOptions search;  // what requests leave open
  // Padded source tokens of a batch; each thread has one.
  int64_t batch_tokens = TranslatorOptions().batch_tokens;
  int64_t most_beam = RequestRules().most_beam;
  int64_t most_sentences = RequestRules().most_sentences;  // of a request
  int64_t most_waiting = BatcherOptions().most_waiting;    // sentences
  std::chrono::milliseconds batch_wait = BatcherOptions().wait;
  std::chrono::seconds request{60};  // the most that a request may take
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();  // of the models, for health()
};

// Any number of threads may ask. Models and vocabularies must outlive it; nothing else may search
// with the models meanwhile.
class Service {
 public:
  Service(const Ensemble& models, const Vocabulary& source, const Vocabulary& target,
          const ServiceOptions& options);

  // `body` as of parse_request(); gives answer() on one line. A line is translated as heed
  // translate does it. Throws HttpError, and UserError where the model fails.
  std::string translate(const std::string& body);
  // {"status": "ok", "version", "uptime_seconds", the facts, "limits"}.
  std::string health() const;
  std::string metrics() const;
  void count_request(const std::string& route, int status, double seconds) {
    metrics_.count_request(route, status, seconds);
  }

 private:
  std::vector<Translation> translate_batch(const SearchVariant& variant,
                                           std::span<const std::vector<TokenId>> sentences);
  std::vector<TranslatedLine> read_lines(const TranslateRequest& request) const;
  void count(const std::vector<TranslatedLine>& lines);
  double uptime_seconds() const;

  const Ensemble models_;
  const ServiceOptions options_;
  const Languages languages_;
  const RequestRules rules_;
  const Batcher::Clock::time_point started_ = Batcher::Clock::now();
  Metrics metrics_;
  Batcher batcher_;  // last: its thread uses the others
};

}  // namespace heed::serve
