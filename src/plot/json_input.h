// Reads one line of a JSON Lines file, with errors that name file and line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heed {

// Parses the object on a line; `where` is "FILE:LINE". Throws UserError "FILE:LINE: not JSON at
// byte 17" or "... not a JSON object".
nlohmann::json parse_json_object(const std::string& text, const std::string& where);

// Throws UserError "FILE:LINE: "KEY" is missing".
const nlohmann::json& value_at(const nlohmann::json& object, const char* key,
                               const std::string& where);

}  // namespace heed
