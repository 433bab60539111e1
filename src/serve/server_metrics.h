// Counters and histograms of the server in the text format of Prometheus, version 0.0.4.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace heed::serve {

// Counts values in buckets with ascending upper bounds; one more bucket takes all greater values.
class Histogram {
 public:
  explicit Histogram(std::vector<double> bounds);
  void add(double value);
  // Writes NAME_bucket{le="BOUND"} (values of at most BOUND), NAME_sum and NAME_count.
  void write(std::string& out, const std::string& name, const std::string& help) const;

 private:
  std::vector<double> bounds_;
  std::vector<int64_t> counts_;  // one more element than bounds
  double sum_ = 0;
};

// Values at the time of the request.
struct Gauges {
  int64_t waiting_sentences = 0, resident_bytes = 0;
  double uptime_seconds = 0;
};

// Thread-safe.
class ServerMetrics {
 public:
  ServerMetrics();

  // `route` is one of a few fixed names, never text from a client.
  void count_request(const std::string& route, int status, double seconds);
  void count_batch(int64_t sentences, int64_t source_tokens);
  struct Lines {
    int64_t sentences = 0, source_tokens = 0, target_tokens = 0, cut = 0;
  };
  void count_lines(const Lines& lines);

  std::string text(const Gauges& gauges) const;

 private:
  mutable std::mutex mutex_;  // guards all members below
  std::map<std::pair<std::string, int>, int64_t> requests_;
  Histogram request_seconds_, batch_sentences_, batch_tokens_;
  Lines lines_;
};

}  // namespace heed::serve
