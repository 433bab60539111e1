// heed inspect: what a checkpoint holds.
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/numbers.h"
#include "cli/options.h"
#include "config/schema.h"
#include "train/checkpoint.h"

namespace heed::cli {
namespace {

using Json = nlohmann::ordered_json;

Json shape_json(const Shape& shape) {
  Json sides = Json::array();
  for (int i = 0; i < shape.rank(); ++i) sides.push_back(shape[i]);
  return sides;
}

Json vocabulary_json(const Vocabulary& vocabulary) {
  return {{"kind", vocabulary.kind()}, {"size", vocabulary.size()}};
}

// One of the JSON texts of the header; null if it is missing or not JSON.
Json metadata_json(const LoadedModel& loaded, const std::string& key) {
  const auto entry = loaded.metadata.find(key);
  if (entry == loaded.metadata.end()) return nullptr;
  const Json json = Json::parse(entry->second, nullptr, false);
  return json.is_discarded() ? Json(nullptr) : json;
}

Json everything(const std::string& path, LoadedModel& loaded) {
  Json tensors = Json::array();
  for (const Parameter& p : loaded.model->parameters().parameters()) {
    tensors.push_back(
        {{"name", p.name}, {"shape", shape_json(p.value.shape)}, {"count", p.value.size()}});
  }
  Json config = Json::object();
  for (const Key& key : config_keys()) config[key.name] = key.get(loaded.config);
  return {{"path", path},
          {"format_version", kCheckpointVersion},
          {"precision",
           loaded.metadata.contains("precision") ? loaded.metadata.at("precision") : "f32"},
          {"provenance", metadata_json(loaded, "provenance")},
          {"training_state", metadata_json(loaded, "training_state")},
          {"source_vocabulary", vocabulary_json(*loaded.source_vocabulary)},
          {"target_vocabulary", vocabulary_json(*loaded.target_vocabulary)},
          {"shared_vocabulary", loaded.source_vocabulary == loaded.target_vocabulary},
          {"parameters", loaded.model->parameters().count()},
          {"tensors", tensors},
          {"config", config}};
}

std::string plain_text(const Json& json) {
  return json.is_string() ? json.get<std::string>() : json.dump();
}

// Of a mean: the checkpoints it was made of.
void print_parts(Output& out, const Json& provenance) {
  if (!provenance.is_object() || !provenance.contains("mean_of")) return;
  const Json& parts = provenance["mean_of"];
  out.line(fmt::format("mean of {} checkpoints, not validated itself:", parts.size()));
  for (const Json& part : parts)
    out.line(part["updates"].is_null() ? fmt::format("  {}", plain_text(part["path"]))
                                       : fmt::format("  {}, update {}", plain_text(part["path"]),
                                                     part["updates"].dump()));
}

void print_text(const Json& all, const LoadedModel& loaded) {
  Output out("-");
  out.line(plain_text(all["path"]));
  for (const auto& [key, value] : all["provenance"].items()) {
    if (key == "mean_of") continue;
    out.line(fmt::format("  {:<14} {}", key, plain_text(value)));
  }
  print_parts(out, all["provenance"]);
  out.line(fmt::format("precision: {} weights, run.precision {}", plain_text(all["precision"]),
                       loaded.config.run.precision));
  for (const char* side : {"source_vocabulary", "target_vocabulary"}) {
    out.line(fmt::format("{}: {}, {} entries{}", side, plain_text(all[side]["kind"]),
                         all[side]["size"].get<int64_t>(),
                         all["shared_vocabulary"].get<bool>() ? " (shared)" : ""));
  }
  out.line(fmt::format("resumable: {}",
                       all["training_state"].is_null() ? "no (a model for translation)" : "yes"));
  out.line(fmt::format("parameters: {} in {} tensors",
                       format_thousands(all["parameters"].get<int64_t>()), all["tensors"].size()));
  for (const Json& tensor : all["tensors"]) {
    out.line(fmt::format("  {:<40} {:<16} {:>12}", plain_text(tensor["name"]),
                         tensor["shape"].dump(), format_thousands(tensor["count"].get<int64_t>())));
  }
  out.line("config:");
  out.line(to_yaml(loaded.config));
  out.commit();
}

}  // namespace

int run_inspect(const Arguments& arguments) {
  std::string path;
  bool json = false;
  Options options("heed inspect MODEL [--json]",
                  "Prints config, parameters with shapes, vocabularies and provenance of a "
                  "checkpoint, after checking it.");
  options.positional("MODEL", path, "checkpoint: best.heed or last.heed")
      .required("MODEL")
      .flag("json", json, "print JSON");
  if (!options.parse(arguments)) return 0;
  LoadedModel loaded = load_model(path);
  const Json all = everything(path, loaded);
  if (json) {
    Output out("-");
    out.line(all.dump(2, ' ', false, Json::error_handler_t::replace));
    out.commit();
  } else {
    print_text(all, loaded);
  }
  return 0;
}

}  // namespace heed::cli
