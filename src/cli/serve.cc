// heed serve: translations over HTTP.
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <future>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/parallel.h"
#include "cli/ensemble_choice.h"
#include "cli/search_choice.h"
#include "cli/shortlist_choice.h"
#include "cli/stop_signal.h"
#include "config/find_key.h"
#include "serve/server.h"
#include "tensor/kernels/device.h"

namespace heed::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ServeChoice {
  EnsembleChoice models;
  SearchChoice search;
  ShortlistChoice shortlist;
  // The options' values; they hold the defaults.
  serve::ServerOptions server;
  serve::ServiceOptions service;
  int64_t batch_wait = service.batch_wait.count();
  int64_t request_seconds = service.request.count(), client_seconds = server.client.count();
  // Their defaults depend on other options.
  std::optional<int64_t> max_beam, max_waiting;
};

void declare_limits(Options& options, ServeChoice& chosen) {
  using schema::between;
  constexpr int64_t kDay = 86'400, kMillion = 1'000'000;
  options
      .integer("max-beam", chosen.max_beam, find_key("decode.beam")->range,
               fmt::format("largest beam, or number of draws, that a request may ask for (default: "
                           "{} or, if that is larger, the server's own)",
                           chosen.service.most_beam))
      .integer("max-sentences", chosen.service.most_sentences, between(1, kMillion),
               "sentences per request; more are refused with 413")
      .integer("max-waiting", chosen.max_waiting, between(1, kMillion),
               fmt::format("sentences that may wait for translation; requests beyond are refused "
                           "with 503 (default: {} or, if that is larger, --max-sentences)",
                           chosen.service.most_waiting))
      .integer("max-body", chosen.server.most_body, between(1, 100 * kMillion),
               "bytes per request; more are refused with 413")
      .integer("request-seconds", chosen.request_seconds, between(1, kDay),
               "time limit of a translation, which then fails with 504")
      .integer("client-seconds", chosen.client_seconds, between(1, kDay),
               "time for a client to send, and again to read the answer")
      .integer("connections", chosen.server.connections, between(1, 400),
               "connections at once; as many again wait, more get 503");
}

bool parse(const Arguments& arguments, ServeChoice& chosen) {
  Options options(
      "heed serve --model M [--host 127.0.0.1] [--port 8080]",
      "Translates over HTTP until it is stopped (Ctrl-C, SIGTERM). POST /translate takes JSON as "
      "{\"text\": \"A dog runs.\"}, where text may be a list, and answers {\"translations\": "
      "[{\"text\", \"logp\", \"score\", ...}]}. Further keys: beam, nbest, alignment, attention, "
      "words, format (\"text\" or \"json\"). GET /health, GET /metrics (Prometheus), GET / (a page "
      "to type into). The address is written to standard output when the server is ready. "
      "Concurrent requests share batches.");
  chosen.models.declare(options);
  options
      .text("host", chosen.server.host,
            "address to listen at; 0.0.0.0 or :: is every network of this machine: whoever reaches "
            "it may translate, without password or TLS")
      .integer("port", chosen.server.port, schema::between(0, 65'535), "0: any that is free");
  chosen.search.declare(options);
  options.integer("batch-wait", chosen.batch_wait, schema::between(0, 1000),
                  "milliseconds that a batch with room waits for more sentences");
  declare_limits(options, chosen);
  options.flag("verbose", chosen.server.verbose, "log a line for each request");
  chosen.shortlist.declare(options);
  if (!options.parse(arguments)) return false;
  chosen.search.check(options);
  chosen.shortlist.check(options, "");
  return true;
}

Json vocabulary_facts(const Vocabulary& vocabulary) {
  return {{"kind", vocabulary.kind()}, {"size", vocabulary.size()}};
}

// What /health reports about the models.
Json facts(const ServeChoice& chosen, const LoadedEnsemble& loaded, const SearchOptions& search) {
  Json models = Json::array();
  for (size_t i = 0; i < chosen.models.models.size(); ++i) {
    Model& model = *loaded.models()[i].model;
    models.push_back({{"file", std::filesystem::path(chosen.models.models[i]).filename().string()},
                      {"parameters", model.parameters().count()},
                      {"attention", model.config().attention.score},
                      {"precision", kernels::precision_name(model.parameters().precision())}});
  }
  return {{"version", HEED_VERSION},
          {"models", std::move(models)},
          {"source_vocabulary", vocabulary_facts(*loaded.first().source_vocabulary)},
          {"target_vocabulary", vocabulary_facts(*loaded.first().target_vocabulary)},
          {"attention", loaded.ensemble().has_attention()},
          {"sampling", search.sampling.has_value()},
          {"beam", search.beam},
          {"nbest", search.nbest},
          {"threads", threads()}};
}

serve::ServiceOptions service_options(const ServeChoice& chosen, const LoadedEnsemble& loaded) {
  serve::ServiceOptions options = chosen.service;
  const DecodeConfig& decode = loaded.first().config.decode;
  options.search = chosen.search.search(decode);
  if (options.search.ranking.coverage_penalty > 0)
    require_attention(loaded.ensemble().has_attention(), chosen.models.models[0],
                      "a coverage penalty");
  options.batch_tokens = chosen.search.decode(decode).batch_tokens;
  options.most_beam = chosen.max_beam.value_or(std::max(options.most_beam, options.search.beam));
  if (options.most_beam < options.search.beam)
    fail("--max-beam {} is less than the beam of the server's own, {}: raise it or lower --beam",
         options.most_beam, options.search.beam);
  options.most_waiting =
      chosen.max_waiting.value_or(std::max(options.most_waiting, options.most_sentences));
  if (options.most_waiting < options.most_sentences)
    fail("--max-waiting {} is less than --max-sentences {}: no request could have as many",
         options.most_waiting, options.most_sentences);
  options.batch_wait = std::chrono::milliseconds(chosen.batch_wait);
  options.request = std::chrono::seconds(chosen.request_seconds);
  options.facts = facts(chosen, loaded, options.search);
  return options;
}

serve::ServerOptions server_options(const ServeChoice& chosen) {
  serve::ServerOptions options = chosen.server;
  options.client = std::chrono::seconds(chosen.client_seconds);
  return options;
}

// Packs the weights, so that the first request does not wait for this, and checks that the
// model can translate.
void warm_up(const Ensemble& models, const SearchOptions& search) {
  models.tabulate_words();
  const std::vector<std::vector<TokenId>> sentences = {{kUnknown}};
  translate_batchwise(models, sentences, search);
}

// Runs until a signal stops it. Requests in progress then have the time limit of a request, plus
// some seconds for sending the answer.
void run_until_stopped(serve::Server& server, std::chrono::seconds most) {
  constexpr auto kLook = std::chrono::milliseconds(50);
  auto running = std::async(std::launch::async, [&server] { server.run(); });
  while (!stop_requested() && running.wait_for(kLook) != std::future_status::ready) {
  }
  server.stop();
  if (stop_requested()) spdlog::info("stopping: requests in progress are finished first");
  if (running.wait_for(most + std::chrono::seconds(5)) != std::future_status::ready) {
    spdlog::warn("requests are still in progress after {} s: they are aborted", most.count() + 5);
    std::_Exit(0);
  }
  running.get();
}

}  // namespace

int run_serve(const Arguments& arguments) {
  ServeChoice chosen;
  if (!parse(arguments, chosen)) return 0;
  watch_stop_signals();
  const LoadedEnsemble loaded = chosen.models.load();
  const Ensemble models = loaded.ensemble();
  serve::ServiceOptions options = service_options(chosen, loaded);
  const auto shortlister = chosen.shortlist.load(loaded.first());
  options.search.shortlister = shortlister.get();
  warm_up(models, options.search);
  serve::Service service(models, *loaded.first().source_vocabulary,
                         *loaded.first().target_vocabulary, options);
  serve::Server server(service, server_options(chosen));
  catch_stop_signals();
  spdlog::info("{}: beam {}, {}", fmt::join(chosen.models.models, ", "), options.search.beam,
               chosen.models.describe(loaded.first()));
  Output out("-");
  out.line("listening on " + server.address());
  out.commit();
  run_until_stopped(server, options.request);
  return 0;
}

}  // namespace heed::cli
