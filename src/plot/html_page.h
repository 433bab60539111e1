// HTML output: a single page that contains its data, style and script and loads nothing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plot/attention_dump.h"

namespace heed {

// JSON that can be placed in a <script> element: characters that HTML or JavaScript could misread
// (<, >, &, U+2028, U+2029) are written as \u escapes. Invalid UTF-8 is replaced.
std::string script_json(const nlohmann::ordered_json& value);

// The complete page with its data, whose format html/app.js describes.
std::string html_document(const nlohmann::ordered_json& data);

// A sentence in the page's format: {"s", "t": tokens, "m": {NAME: [scale, base64]}, "links",
// "score"}. A weight is quantised to one of 65,535 steps from -scale to scale and stored in 16
// bits, little-endian, row by row.
nlohmann::ordered_json record_json(const AttentionRecord& record);

// Adds to `names` the matrices that have a negative weight and are not in it yet.
void add_signed_names(const AttentionRecord& record, std::vector<std::string>& names);

}  // namespace heed
