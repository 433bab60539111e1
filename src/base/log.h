// The log: plain lines to standard error through spdlog. Standard output carries results only.
#pragma once

#include <spdlog/spdlog.h>

namespace heed {

// Sends spdlog's default logger to standard error with the pattern "[time] [level] text" (no colour
// unless a terminal). level: "debug", "info", "warning", "error".
void start_log(const char* level = "info");

}  // namespace heed
