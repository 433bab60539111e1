// The HTML output: one page that holds its data, style and script, and loads nothing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plot/attention_dump.h"

namespace heed {

// JSON that may stand in a <script> element: what HTML or JavaScript could take for its own (<, >,
// &, U+2028, U+2029) is written as \u escapes. What is no valid UTF-8 is replaced.
std::string script_json(const nlohmann::ordered_json& value);

// The whole page with its data; html/app.js says what these are.
std::string html_document(const nlohmann::ordered_json& data);

// A sentence as the page has it: {"s", "t": tokens, "m": {NAME: [scale, base64]}, "links",
// "score"}. A weight is one of 65,535 steps between -scale and scale: 16 bits, little-endian, row
// by row.
nlohmann::ordered_json record_json(const AttentionRecord& record);

// Names of the matrices with a weight below 0, adding to those that are there.
void add_signed_names(const AttentionRecord& record, std::vector<std::string>& names);

}  // namespace heed
