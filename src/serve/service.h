// The function of the server without HTTP: text in, JSON out.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "decode/ensemble.h"
#include "serve/answer.h"
#include "serve/batcher.h"
#include "serve/request.h"
#include "serve/server_metrics.h"

namespace heed::serve {

struct ServiceOptions {
  SearchOptions search;  // defaults of requests
  // Padded source tokens per batch and thread.
  int64_t batch_tokens = TranslatorOptions().batch_tokens;
  int64_t most_beam = RequestRules().most_beam;
  int64_t most_sentences = RequestRules().most_sentences;  // per request
  int64_t most_waiting = BatcherOptions().most_waiting;    // sentences
  std::chrono::milliseconds batch_wait = BatcherOptions().wait;
  std::chrono::seconds request{60};  // time limit of a request
  // about the models, for health()
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();
};

// Thread-safe. Models and vocabularies must outlive it, and nothing else may search with the models
// at the same time.
class Service {
 public:
  Service(const Ensemble& models, const Vocabulary& source, const Vocabulary& target,
          const ServiceOptions& options);

  // `body` is that of parse_request(); returns answer() on one line. Lines are translated as by
  // heed translate. Throws HttpError, and UserError if the model fails.
  std::string translate(const std::string& body);
  // {"status": "ok", "version", "uptime_seconds", the members of `facts`, "limits"}.
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
  ServerMetrics metrics_;
  Batcher batcher_;  // last: its thread uses the other members
};

}  // namespace heed::serve
