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
#include "serve/server.h"
#include "tensor/kernels/device.h"

namespace heed::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ServeChoice {
  EnsembleChoice models;
  SearchChoice search;
  ShortlistChoice shortlist;
  std::string host = "127.0.0.1";
  std::optional<int64_t> port, batch_tokens, batch_wait, max_beam, max_sentences, max_waiting;
  std::optional<int64_t> max_body, connections, request_seconds, client_seconds;
  bool verbose = false;
};

void declare_limits(Options& options, ServeChoice& chosen) {
  constexpr int64_t kDay = 86'400;
  options
      .integer(
          "max-beam", chosen.max_beam, 1,
          "largest beam (of --sample: number of draws) that a request may ask for (default: 20, "
          "or the server's own where that is larger)",
          1000)
      .integer("max-sentences", chosen.max_sentences, 1,
               "sentences of one request; more are refused with 413 (default: 500)", 1'000'000)
      .integer("max-waiting", chosen.max_waiting, 1,
               "sentences that may wait to be translated; what would be more is refused with 503 "
               "(default: 2000)",
               1'000'000)
      .integer("max-body", chosen.max_body, 1,
               "bytes of one request; more are refused with 413 (default: 1000000)", 100'000'000)
      .integer("request-seconds", chosen.request_seconds, 1,
               "time for the translations of a request; then it is given up with 504 (default: 60)",
               kDay)
      .integer("client-seconds", chosen.client_seconds, 1,
               "time for a client to send a request, and again to take its answer (default: 30)",
               kDay)
      .integer(
          "connections", chosen.connections, 1,
          "connections at once, each with a thread that mostly waits; as many again wait for a "
          "thread, more are refused with 503 (default: 128)",
          400);
}

bool parse(const Arguments& arguments, ServeChoice& chosen) {
  Options options(
      "heed serve --model M [--host 127.0.0.1] [--port 8080]",
      "Translates over HTTP until it is stopped (Ctrl-C, SIGTERM): POST /translate takes JSON as "
      "{\"text\": \"A dog runs.\"}\nand gives {\"translations\": [{\"text\", \"logp\", \"score\", "
      "...}]}; "
      "text may be a list. Further keys: beam, nbest, alignment,\nattention, words, format "
      "(\"text\" or "
      "\"json\"). GET /health, GET /metrics (Prometheus), GET / (a page to type into).\nOnce it is "
      "ready, its address is written to standard output. Requests that come together share "
      "batches.");
  chosen.models.declare(options);
  options
      .text("host", chosen.host,
            "address to listen at; 0.0.0.0 or :: is every network of this machine, and then anyone "
            "who reaches it may translate: there is no password and no TLS")
      .integer("port", chosen.port, 0, "0: any that is free (default: 8080)", 65'535);
  chosen.search.declare(options);
  options
      .integer("batch-tokens", chosen.batch_tokens, 1,
               "padded source tokens a batch and thread; lower it to save memory (default: the "
               "model's decode.batch_tokens)",
               1'000'000)
      .integer("batch-wait", chosen.batch_wait, 0,
               "milliseconds that a batch which is not full waits for more sentences (default: 2)",
               1000);
  declare_limits(options, chosen);
  options.flag("verbose", chosen.verbose, "a line of log for each request");
  chosen.shortlist.declare(options);
  if (!options.parse(arguments)) return false;
  chosen.shortlist.check(options, "");
  return true;
}

Json vocabulary_facts(const Vocabulary& vocabulary) {
  return {{"kind", vocabulary.kind()}, {"size", vocabulary.size()}};
}

// What /health tells of the models.
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
  serve::ServiceOptions options;
  const DecodeConfig& decode = loaded.first().config.decode;
  options.search = chosen.search.search(decode);
  if (options.search.ranking.coverage_penalty > 0)
    require_attention(loaded.ensemble().has_attention(), chosen.models.models[0],
                      "a coverage penalty");
  options.batch_tokens = chosen.batch_tokens.value_or(decode.batch_tokens);
  options.most_beam = chosen.max_beam.value_or(std::max(options.most_beam, options.search.beam));
  if (options.most_beam < options.search.beam)
    fail("--max-beam {} is less than the beam of the server's own, {}: raise it or lower --beam",
         options.most_beam, options.search.beam);
  options.most_sentences = chosen.max_sentences.value_or(options.most_sentences);
  options.most_waiting =
      chosen.max_waiting.value_or(std::max(options.most_waiting, options.most_sentences));
  if (options.most_waiting < options.most_sentences)
    fail("--max-waiting {} is less than --max-sentences {}: no request could have as many",
         options.most_waiting, options.most_sentences);
  const auto take = [](auto& time, const std::optional<int64_t>& given) {
    if (given) time = std::decay_t<decltype(time)>(*given);
  };
  take(options.batch_wait, chosen.batch_wait);
  take(options.request, chosen.request_seconds);
  options.facts = facts(chosen, loaded, options.search);
  return options;
}

serve::ServerOptions server_options(const ServeChoice& chosen) {
  serve::ServerOptions options;
  options.host = chosen.host;
  options.port = static_cast<int>(chosen.port.value_or(options.port));
  options.connections = static_cast<int>(chosen.connections.value_or(options.connections));
  if (chosen.client_seconds) options.client = std::chrono::seconds(*chosen.client_seconds);
  options.most_body = chosen.max_body.value_or(options.most_body);
  options.verbose = chosen.verbose;
  return options;
}

// Packs the weights, so that the first request does not wait for it, and proves that the model can
// translate.
void warm_up(const Ensemble& models, const SearchOptions& search) {
  models.tabulate_words();
  const std::vector<std::vector<TokenId>> sentences = {{kUnknown}};
  translate_batchwise(models, sentences, search);
}

// A signal stops it. What is under way may then take as long as a request may, and a moment to be
// sent.
void run_until_stopped(serve::Server& server, std::chrono::seconds most) {
  constexpr auto kLook = std::chrono::milliseconds(50);
  auto running = std::async(std::launch::async, [&server] { server.run(); });
  while (!stop_requested() && running.wait_for(kLook) != std::future_status::ready) {
  }
  server.stop();
  if (stop_requested()) spdlog::info("stopping: what is under way is finished first");
  if (running.wait_for(most + std::chrono::seconds(5)) != std::future_status::ready) {
    spdlog::warn("requests are still under way after {} s: they are given up", most.count() + 5);
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
