#include "nn/table.h"

#include "base/error.h"
#include "nn/recurrent/decoder.h"
#include "nn/recurrent/encoder.h"

namespace heed {
namespace {

struct EncoderRow {
  const char* name;
  std::unique_ptr<Encoder> (*make)(const ModelConfig&, ParameterStore&);
};
constexpr EncoderRow kEncoders[] = {
    {"rnn", make_recurrent_encoder},
};

struct DecoderRow {
  const char* name;
  std::unique_ptr<Decoder> (*make)(const ModelConfig&, ParameterStore&, int64_t, int64_t);
};
constexpr DecoderRow kDecoders[] = {
    {"rnn", make_recurrent_decoder},
};

template <typename Rows>
const auto& find_row(const Rows& rows, const char* key, const std::string& kind) {
  for (const auto& row : rows)
    if (kind == row.name) return row;
  fail("{}: unknown kind '{}'", key, kind);
}

template <typename Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

}  // namespace

std::unique_ptr<Encoder> make_encoder(const ModelConfig& config, ParameterStore& store) {
  return find_row(kEncoders, "model.encoder.kind", config.encoder.kind).make(config, store);
}

std::unique_ptr<Decoder> make_decoder(const ModelConfig& config, ParameterStore& store,
                                      int64_t state_size, int64_t readout) {
  return find_row(kDecoders, "model.decoder.kind", config.decoder.kind)
      .make(config, store, state_size, readout);
}

std::vector<std::string> encoder_kinds() { return names_of(kEncoders); }
std::vector<std::string> decoder_kinds() { return names_of(kDecoders); }

}  // namespace heed
