#include "serve/server_metrics.h"

#include <gtest/gtest.h>

// GCC 12 with a sanitizer wrongly reports parts of std::regex as uninitialized.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <regex>
#include <set>
#include <sstream>

namespace heed::serve {
namespace {

TEST(HistogramText, CountsValuesUpToEachBound) {
  Histogram histogram({0.5, 1, 10});
  for (const double value : {0.25, 0.5, 0.75, 4.0, 20.0}) histogram.add(value);
  std::string text;
  histogram.write(text, "heed_x", "Some values.");
  EXPECT_EQ(text,
            "# HELP heed_x Some values.\n"
            "# TYPE heed_x histogram\n"
            "heed_x_bucket{le=\"0.5\"} 2\n"
            "heed_x_bucket{le=\"1\"} 3\n"
            "heed_x_bucket{le=\"10\"} 4\n"
            "heed_x_bucket{le=\"+Inf\"} 5\n"
            "heed_x_sum 25.5\n"
            "heed_x_count 5\n");
}

TEST(MetricsText, TellsWhatWasCounted) {
  ServerMetrics metrics;
  metrics.count_request("/translate", 200, 0.25);
  metrics.count_request("/translate", 200, 0.5);
  metrics.count_request("/translate", 503, 0);
  metrics.count_request("other", 404, 0);
  metrics.count_batch(3, 30);
  metrics.count_lines({3, 27, 31, 1});
  const std::string text = metrics.text({7, 4096, 12.5});
  for (const char* line :
       {"heed_requests_total{route=\"/translate\",status=\"200\"} 2",
        "heed_requests_total{route=\"/translate\",status=\"503\"} 1",
        "heed_requests_total{route=\"other\",status=\"404\"} 1", "heed_sentences_total 3",
        "heed_source_tokens_total 27", "heed_target_tokens_total 31", "heed_cut_sentences_total 1",
        "heed_request_duration_seconds_sum 0.75", "heed_request_duration_seconds_count 3",
        "heed_request_duration_seconds_bucket{le=\"0.25\"} 2",
        "heed_batch_sentences_bucket{le=\"2\"} 0", "heed_batch_sentences_bucket{le=\"4\"} 1",
        "heed_batch_tokens_sum 30", "heed_queue_sentences 7", "heed_resident_memory_bytes 4096",
        "heed_uptime_seconds 12.5"})
    EXPECT_NE(text.find(std::string(line) + "\n"), std::string::npos) << line << "\n" << text;
}

// Checks the part of the grammar in https://prometheus.io/docs/instrumenting/exposition_formats/
// that is used here: lines "# HELP NAME TEXT", "# TYPE NAME KIND" and "NAME{LABEL="VALUE",...}
// NUMBER", where the lines of a family follow its TYPE.
TEST(MetricsText, IsInTheTextFormatOfPrometheus) {
  ServerMetrics metrics;
  metrics.count_request("/translate", 200, 1e-7);
  metrics.count_request("/", 200, 1);
  std::istringstream lines(metrics.text({0, int64_t{1} << 40, 0.001}));
  const std::regex head(R"(# (HELP|TYPE) (heed_[a-z_]+) (\S.*))");
  const std::regex sample(
      R"((heed_[a-z_]+)(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? (-?[0-9.]+(e[-+][0-9]+)?|\+Inf))");
  std::string family;
  std::set<std::string> families;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, head)) {
      if (match[1] == "TYPE") {
        EXPECT_EQ(match[2], family);
        EXPECT_TRUE(match[3] == "counter" || match[3] == "gauge" || match[3] == "histogram");
      } else {
        family = match[2];
        EXPECT_TRUE(families.insert(family).second) << line;
      }
    } else {
      ASSERT_TRUE(std::regex_match(line, match, sample)) << line;
      EXPECT_EQ(match[1].str().rfind(family, 0), 0U) << line;
    }
  }
  EXPECT_GT(families.size(), 8U);
}

}  // namespace
}  // namespace heed::serve
