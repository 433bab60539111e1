#include "plot/json_input.h"

#include "base/error.h"

namespace heed {

nlohmann::json parse_json_object(const std::string& text, const std::string& where) {
  nlohmann::json object;
  try {
    object = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    fail("{}: not JSON at byte {} of the line; is the file cut or of another kind?", where,
         error.byte);
  } catch (const nlohmann::json::exception&) {
    fail("{}: JSON with a number out of range", where);
  }
  if (!object.is_object()) fail("{}: not a JSON object", where);
  return object;
}

const nlohmann::json& value_at(const nlohmann::json& object, const char* key,
                               const std::string& where) {
  const auto found = object.find(key);
  if (found == object.end()) fail("{}: \"{}\" is missing", where, key);
  return *found;
}

}  // namespace heed
