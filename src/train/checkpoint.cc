#include "train/checkpoint.h"

#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/error.h"
#include "base/numbers.h"
#include "config/schema.h"
#include "tensor/transfer.h"
#include "text/make_vocabulary.h"
#include "train/safetensors.h"

namespace heed {
namespace {

using Json = nlohmann::ordered_json;

std::string vocabulary_to_text(const Vocabulary& vocabulary) {
  return std::string(vocabulary.kind()) + "\n" + base64_encode(vocabulary.serialize());
}

const std::string& metadata_of(const SafetensorsFile& file, const std::string& key) {
  const auto entry = file.metadata().find(key);
  if (entry == file.metadata().end()) {
    fail("{}: not a heed model (its header has no \"{}\")", file.path(), key);
  }
  return entry->second;
}

std::shared_ptr<const Vocabulary> vocabulary_from_text(const std::string& text,
                                                       const std::string& name) {
  const size_t end = text.find('\n');
  if (end == std::string::npos) fail("{}: damaged: no kind is given", name);
  const std::optional<std::string> bytes = base64_decode(std::string_view(text).substr(end + 1));
  if (!bytes) fail("{}: damaged: not base64", name);
  return make_vocabulary(text.substr(0, end), *bytes, name);
}

// Throws unless it is a heed model of a version that this build reads, with correct checksums.
void check_format(const SafetensorsFile& file) {
  if (metadata_of(file, "format") != "heed") {
    fail("{}: not a heed model (\"format\" is not \"heed\")", file.path());
  }
  const std::string& version = metadata_of(file, "format_version");
  if (parse_int(version) != kCheckpointVersion) {
    fail("{}: format version {}, this build reads {}; use the heed that wrote it or a newer one",
         file.path(), version, kCheckpointVersion);
  }
  file.verify();
}

std::string provenance(const CheckpointContents& contents, const TrainingState& state) {
  const Json json = {{"heed_version", HEED_VERSION},
                     {"seed", contents.config.run.seed},
                     {"updates", state.update},
                     {"epochs", state.epoch},
                     {"target_tokens", state.target_tokens},
                     {"minutes", state.minutes},
                     {"metric", state.metric},
                     {"best_value", state.saved.value ? Json(*state.saved.value) : Json()},
                     {"best_update", state.saved.update}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Metadata metadata_for(const CheckpointContents& contents, const TrainingState& state) {
  return {{"format", "heed"},
          {"format_version", std::to_string(kCheckpointVersion)},
          {"config", to_yaml(contents.config)},
          {"source_vocabulary", vocabulary_to_text(contents.source_vocabulary)},
          {"target_vocabulary", vocabulary_to_text(contents.target_vocabulary)},
          {"provenance", provenance(contents, state)}};
}

std::vector<NamedTensor> parameter_tensors(Model& model) {
  std::vector<NamedTensor> tensors;
  for (const Parameter& p : model.parameters().parameters()) tensors.push_back({p.name, p.value});
  return tensors;
}

// Adds a flat tensor in the layout of the store as one tensor per parameter, so that the padding
// between parameters is not in the file.
void add_flat(std::vector<NamedTensor>& tensors, ParameterStore& store, const std::string& prefix,
              const Tensor& flat) {
  for (const Parameter& p : store.parameters())
    tensors.push_back(
        {prefix + p.name, flat.part(store.values().offset_of(p.value), p.value.shape)});
}

std::vector<NamedTensor> moment_tensors(Model& model, const Optimizer& optimizer) {
  std::vector<NamedTensor> tensors;
  for (const NamedTensor& moment : optimizer.moments())
    add_flat(tensors, model.parameters(), "optimizer." + moment.name + ".", moment.values);
  return tensors;
}

std::vector<NamedTensor> average_tensors(Model& model, const Tensor& average) {
  std::vector<NamedTensor> tensors;
  if (!average.empty()) add_flat(tensors, model.parameters(), "average.", average);
  return tensors;
}

}  // namespace

bool LoadedModel::has_8_bit_weights() const {
  const auto precision = metadata.find("precision");
  return precision != metadata.end() && precision->second == "int8";
}

LoadedModel load_model(const std::string& path, bool with_gradients, Device device) {
  const SafetensorsFile file(path);
  check_format(file);
  LoadedModel loaded;
  loaded.metadata = file.metadata();
  loaded.config = parse_config(metadata_of(file, "config"), path + ": config", "");
  const std::string& source = metadata_of(file, "source_vocabulary");
  const std::string& target = metadata_of(file, "target_vocabulary");
  loaded.source_vocabulary = vocabulary_from_text(source, path + ": source_vocabulary");
  loaded.target_vocabulary = source == target
                                 ? loaded.source_vocabulary
                                 : vocabulary_from_text(target, path + ": target_vocabulary");
  loaded.model = std::make_unique<Model>(loaded.config.model, loaded.source_vocabulary->size(),
                                         loaded.target_vocabulary->size(), device);
  ParameterStore& store = loaded.model->parameters();
  // Checked before any memory is allocated: a config that doesn't belong to the tensors must not
  // decide how much.
  for (const Parameter& p : store.parameters()) file.check_shape(p.name, p.value.shape);
  loaded.model->allocate(with_gradients);
  const ParameterStore::Update changes = store.update();
  for (const Parameter& p : store.parameters()) file.read(p.name, p.value);
  return loaded;
}

void save_model(const std::string& path, const CheckpointContents& contents,
                const TrainingState& state) {
  write_safetensors(path, metadata_for(contents, state), parameter_tensors(contents.model));
}

MeanSource mean_source(const std::string& path, const LoadedModel& loaded) {
  MeanSource source{path, std::nullopt};
  const auto entry = loaded.metadata.find("provenance");
  if (entry == loaded.metadata.end()) return source;
  const Json json = Json::parse(entry->second, nullptr, false);
  if (json.is_object() && json.contains("updates") && json["updates"].is_number_integer())
    source.update = json["updates"].get<int64_t>();
  return source;
}

void save_mean(const std::string& path, const LoadedModel& loaded,
               const std::vector<MeanSource>& sources) {
  Json mean_of = Json::array();
  for (const MeanSource& source : sources)
    mean_of.push_back(
        {{"path", source.path}, {"updates", source.update ? Json(*source.update) : Json()}});
  const Json provenance = {{"heed_version", HEED_VERSION},
                           {"seed", loaded.config.run.seed},
                           {"mean_of", std::move(mean_of)}};
  Metadata metadata = loaded.metadata;
  metadata["provenance"] = provenance.dump(-1, ' ', false, Json::error_handler_t::replace);
  metadata.erase("training_state");
  metadata.erase("precision");
  write_safetensors(path, std::move(metadata), parameter_tensors(*loaded.model));
}

void save_quantised_model(const std::string& path, const LoadedModel& loaded) {
  Arena arena(loaded.model->device());
  std::deque<std::vector<int8_t>> integers;  // what the bytes of tensors point into
  std::deque<HostView> reals;
  std::vector<NamedBytes> tensors;
  const auto add_reals = [&](const std::string& name, const Tensor& tensor) {
    const std::span<const Real> all = reals.emplace_back(tensor).all();
    tensors.push_back(as_bytes(name, tensor.shape, all));
  };
  for (const Parameter& p : loaded.model->parameters().parameters()) {
    if (p.value.shape.rank() != 2) {
      add_reals(p.name, p.value);
      continue;
    }
    const bool by_columns = !loaded.model->is_table(p);
    const View<int8_t> q = arena.array<int8_t>(p.value.shape);
    const Tensor scales = arena.tensor({p.value.shape[by_columns ? 1 : 0]});
    kernels::quantise(p.value, by_columns ? kernels::ScalesPer::column : kernels::ScalesPer::row, q,
                      scales);
    const std::vector<int8_t>& all = integers.emplace_back(download(q));
    tensors.push_back(
        {p.name, "I8", p.value.shape, {reinterpret_cast<const char*>(all.data()), all.size()}});
    add_reals(p.name + (by_columns ? kColumnScale : kRowScale), scales);
  }
  Metadata metadata = loaded.metadata;
  metadata.erase("training_state");
  metadata["precision"] = "int8";
  write_safetensors(path, std::move(metadata), tensors);
}

void save_training_state(const std::string& path, const CheckpointContents& contents,
                         const TrainingState& state, const Optimizer& optimizer,
                         const Tensor& average) {
  Metadata metadata = metadata_for(contents, state);
  metadata["training_state"] = to_json(state);
  std::vector<NamedTensor> tensors = parameter_tensors(contents.model);
  for (const auto& more :
       {moment_tensors(contents.model, optimizer), average_tensors(contents.model, average)})
    tensors.insert(tensors.end(), more.begin(), more.end());
  write_safetensors(path, std::move(metadata), tensors);
}

TrainingState load_training_state(const std::string& path, Model& model, Optimizer& optimizer,
                                  const Tensor& average) {
  const SafetensorsFile file(path);
  check_format(file);
  if (!file.metadata().contains("training_state")) {
    fail(
        "{}: holds a model but no training state to go on with; take the last.heed of its run, or "
        "remove this file",
        path);
  }
  TrainingState state = parse_training_state(metadata_of(file, "training_state"), path);
  if (state.optimizer == optimizer.name()) {
    for (const NamedTensor& moment : moment_tensors(model, optimizer)) {
      file.read(moment.name, moment.values);
    }
    optimizer.set_steps(state.optimizer_steps);
  }
  for (const NamedTensor& tensor : average_tensors(model, average))
    if (file.tensors().contains(tensor.name)) file.read(tensor.name, tensor.values);
  return state;
}

}  // namespace heed
