// One line of a JSON Lines file, with errors that name file and line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heed {

// The object on a line; `where` is "FILE:LINE". Throws UserError "FILE:LINE: not JSON at byte 17"
// or "... no JSON object".
nlohmann::json parse_json_line(const std::string& text, const std::string& where);

// Throws UserError "FILE:LINE: no "KEY"".
const nlohmann::json& value_at(const nlohmann::json& object, const char* key,
                               const std::string& where);

}  // namespace heed
