// Config <-> YAML. Lines in messages come from yaml-cpp's marks.
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "config/find_key.h"
#include "config/schema.h"

namespace heed {
namespace {

class Reader {
 public:
  Reader(Config& config, const std::string& file, const std::string& folder)
      : config_(config), file_(file), folder_(folder) {}

  // A map of keys; `prefix` is "" or "model.encoder.".
  void read_section(const YAML::Node& section, const std::string& prefix) {
    for (const auto& entry : section) read_entry(entry.first, entry.second, prefix);
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail_at(const YAML::Node& node, fmt::format_string<Args...> format,
                            Args&&... args) const {
    fail("{}:{}: {}", file_, node.Mark().line + 1,
         fmt::format(format, std::forward<Args>(args)...));
  }

  void read_entry(const YAML::Node& word, const YAML::Node& value, const std::string& prefix) {
    if (!word.IsScalar()) fail_at(word, "a key must be a plain word");
    const std::string name = prefix + word.Scalar();
    const Key* key = find_key(name);
    if (key == nullptr && !is_section(name)) {
      const std::string near = value.IsMap() ? nearest_section(name) : nearest_key(name);
      fail_at(word, "unknown key '{}'{}", name, did_you_mean(near));
    }
    const auto [first, fresh] = first_line_.emplace(name, word.Mark().line + 1);
    if (!fresh) fail_at(word, "{} is given twice (first in line {})", name, first->second);
    if (key != nullptr) {
      read_value(*key, word, value);
    } else if (value.IsMap()) {
      read_section(value, name + ".");
    } else if (!value.IsNull()) {  // a section with nothing in it keeps its defaults
      fail_at(word, "{} is a section: its keys stand below it, indented", name);
    }
  }

  void read_value(const Key& key, const YAML::Node& word, const YAML::Node& value) {
    if (value.IsNull()) {
      fail_at(word, "{} has no value: leave the key out for its default", key.name);
    }
    if (!value.IsScalar()) {
      fail_at(word, "{}: one value expected, not a {}", key.name,
              value.IsMap() ? "section" : "list");
    }
    const std::string& text = value.Scalar();
    try {
      key.set(config_, key.type == "path" ? resolve_path(text, folder_) : text);
    } catch (const UserError& error) {
      fail_at(value, "{}", error.what());
    }
  }

  Config& config_;
  const std::string& file_;
  const std::string& folder_;
  std::map<std::string, int> first_line_;
};

// What is often behind it.
const char* hint(const std::string& yaml) {
  if (yaml.find('\0') != std::string::npos) return " (is this a config file? it is no text)";
  if (yaml.find('\t') != std::string::npos) return " (YAML allows no tabs: use spaces)";
  return "";
}

YAML::Node load_document(const std::string& yaml, const std::string& name) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(yaml);
    if (documents.size() > 1) fail("{}: {} YAML documents in one file", name, documents.size());
    return documents.empty() ? YAML::Node() : documents[0];
  } catch (const YAML::Exception& error) {
    if (error.mark.is_null()) fail("{}: not valid YAML: {}", name, error.msg);
    fail("{}:{}: not valid YAML: {}{}", name, error.mark.line + 1, error.msg, hint(yaml));
  }
}

}  // namespace

Config parse_config(const std::string& yaml, const std::string& name, const std::string& folder) {
  Config config;
  const YAML::Node document = load_document(yaml, name);
  if (document.IsNull()) return config;
  if (!document.IsMap()) {
    fail("{}:{}: not a config: sections (run, data, model, train, decode) with keys expected", name,
         document.Mark().line + 1);
  }
  Reader(config, name, folder).read_section(document, "");
  return config;
}

Config read_config(const std::string& path) {
  const std::string yaml = read_file(path);
  if (yaml.empty()) fail("{}: the file is empty", path);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return parse_config(yaml, path, folder.empty() ? "." : folder);
}

std::string to_yaml(const Config& config) {
  YAML::Node root(YAML::NodeType::Map);
  for (const Key& key : config_keys()) {
    YAML::Node node = root;
    size_t begin = 0;
    for (size_t dot; (dot = key.name.find('.', begin)) != std::string::npos; begin = dot + 1) {
      node.reset(node[key.name.substr(begin, dot - begin)]);
    }
    node[key.name.substr(begin)] = key.get(config);
  }
  return YAML::Dump(root) + "\n";
}

}  // namespace heed
