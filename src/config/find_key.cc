// Keys by name, and the name that was meant.
#include "config/find_key.h"

#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/nearest.h"

namespace heed {
namespace {

std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

bool ends_with_part(const std::string& name, const std::string& end) {
  return name.size() > end.size() && name.ends_with(end) &&
         name[name.size() - end.size() - 1] == '.';
}

}  // namespace

const Key* find_key(const std::string& name) {
  for (const Key& key : config_keys()) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

bool is_section(const std::string& name) {
  for (const Key& key : config_keys()) {
    if (key.name.starts_with(name + ".")) return true;
  }
  return false;
}

std::string nearest_key(const std::string& name) {
  for (const std::string& end : {name, last_part(name)}) {  // right name, wrong or missing section
    for (const Key& key : config_keys()) {
      if (ends_with_part(key.name, end)) return key.name;
    }
  }
  std::vector<std::string> known;
  for (const Key& key : config_keys()) known.push_back(key.name);
  return nearest_name(name, known);
}

std::string nearest_section(const std::string& name) {
  std::set<std::string> sections;
  for (const Key& key : config_keys()) {
    for (size_t dot = key.name.find('.'); dot != std::string::npos;
         dot = key.name.find('.', dot + 1)) {
      sections.insert(key.name.substr(0, dot));
    }
  }
  for (const std::string& section : sections) {
    if (ends_with_part(section, name)) return section;
  }
  return nearest_name(name, {sections.begin(), sections.end()});
}

std::string did_you_mean(const std::string& name) {
  return name.empty() ? "" : fmt::format(" (did you mean '{}'?)", name);
}

std::string resolve_path(const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  if (path.empty() || folder.empty()) return path;
  std::error_code error;
  const fs::path base = fs::weakly_canonical(fs::absolute(folder, error), error);
  return ((error ? fs::path(folder) : base) / path).lexically_normal().string();
}

void set_key(Config& config, const std::string& name, const std::string& value) {
  const Key* key = find_key(name);
  if (key == nullptr) {
    throw UsageError(fmt::format("unknown key '{}'{}", name, did_you_mean(nearest_key(name))));
  }
  key->set(config, key->type == "path" ? resolve_path(value, ".") : value);
}

void set_keys(Config& config, const KeyValues& given) {
  for (const auto& [name, value] : given) set_key(config, name, value);
}

}  // namespace heed
