// The log: plain lines to standard error through spdlog. Standard output carries results only.
#pragma once

#include <spdlog/spdlog.h>

namespace heed {

// Makes spdlog's default logger write to standard error in the form "[time] [level] text", in
// colour only on a terminal. level: "debug", "info", "warning" or "error".
void start_log(const char* level = "info");

}  // namespace heed
