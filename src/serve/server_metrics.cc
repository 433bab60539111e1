#include "serve/server_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/numbers.h"

namespace heed::serve {
namespace {

void write_head(std::string& out, const std::string& name, const char* type,
                const std::string& help) {
  fmt::format_to(std::back_inserter(out), "# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

void write_one(std::string& out, const std::string& name, const char* type, const std::string& help,
               double value) {
  write_head(out, name, type, help);
  fmt::format_to(std::back_inserter(out), "{} {}\n", name, format_real(value));
}

}  // namespace

Histogram::Histogram(std::vector<double> bounds)
    : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}

void Histogram::add(double value) {
  const auto bound = std::lower_bound(bounds_.begin(), bounds_.end(), value);
  ++counts_[static_cast<size_t>(bound - bounds_.begin())];
  sum_ += value;
}

void Histogram::write(std::string& out, const std::string& name, const std::string& help) const {
  write_head(out, name, "histogram", help);
  const auto to = std::back_inserter(out);
  int64_t so_far = 0;
  for (size_t i = 0; i < counts_.size(); ++i) {
    so_far += counts_[i];
    fmt::format_to(to, "{}_bucket{{le=\"{}\"}} {}\n", name,
                   i < bounds_.size() ? format_real(bounds_[i]) : "+Inf", so_far);
  }
  fmt::format_to(to, "{}_sum {}\n{}_count {}\n", name, format_real(sum_), name, so_far);
}

ServerMetrics::ServerMetrics()
    : request_seconds_({0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}),
      batch_sentences_({1, 2, 4, 8, 16, 32, 64, 128, 256}),
      batch_tokens_({10, 25, 50, 100, 250, 500, 1000, 2500, 5000}) {}

void ServerMetrics::count_request(const std::string& route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{route, status}];
  if (route == "/translate") request_seconds_.add(seconds);
}

void ServerMetrics::count_batch(int64_t sentences, int64_t source_tokens) {
  const std::lock_guard lock(mutex_);
  batch_sentences_.add(static_cast<double>(sentences));
  batch_tokens_.add(static_cast<double>(source_tokens));
}

void ServerMetrics::count_lines(const Lines& lines) {
  const std::lock_guard lock(mutex_);
  lines_.sentences += lines.sentences;
  lines_.source_tokens += lines.source_tokens;
  lines_.target_tokens += lines.target_tokens;
  lines_.cut += lines.cut;
}

std::string ServerMetrics::text(const Gauges& gauges) const {
  const std::lock_guard lock(mutex_);
  std::string out;
  write_head(out, "heed_requests_total", "counter", "Requests that were answered.");
  for (const auto& [labels, count] : requests_)
    fmt::format_to(std::back_inserter(out),
                   "heed_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", labels.first,
                   labels.second, count);
  const auto counter = [&out](const char* name, const char* help, int64_t value) {
    write_one(out, name, "counter", help, static_cast<double>(value));
  };
  counter("heed_sentences_total", "Sentences that were translated.", lines_.sentences);
  counter("heed_source_tokens_total", "Source tokens of translated sentences.",
          lines_.source_tokens);
  counter("heed_target_tokens_total", "Tokens of the best translations.", lines_.target_tokens);
  counter("heed_cut_sentences_total", "Sentences that were too long and cut.", lines_.cut);
  request_seconds_.write(out, "heed_request_duration_seconds",
                         "Time of a request to /translate, reading the body included.");
  batch_sentences_.write(out, "heed_batch_sentences", "Sentences per batch.");
  batch_tokens_.write(out, "heed_batch_tokens", "Source tokens per batch.");
  const auto gauge = [&out](const char* name, const char* help, double value) {
    write_one(out, name, "gauge", help, value);
  };
  gauge("heed_queue_sentences", "Sentences waiting for a batch.",
        static_cast<double>(gauges.waiting_sentences));
  gauge("heed_resident_memory_bytes", "Resident memory of the process.",
        static_cast<double>(gauges.resident_bytes));
  gauge("heed_uptime_seconds", "Seconds since the server started.", gauges.uptime_seconds);
  return out;
}

}  // namespace heed::serve
