// What the lines of JSON of a dump and of translations share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "decode/alignment.h"

namespace heed {

double to_six_decimals(double value);  // never -0
nlohmann::ordered_json attention_json(const AlignedSentence& sentence);
// On one line; what is no valid UTF-8 is replaced.
std::string json_line(const nlohmann::ordered_json& object);

}  // namespace heed
