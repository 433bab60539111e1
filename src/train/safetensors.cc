#include "train/safetensors.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/round_up.h"
#include "tensor/kernels/kernels.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

using Json = nlohmann::json;
static_assert(std::endian::native == std::endian::little,
              "tensors are written as they lie in memory");

constexpr int64_t kMaxHeader = 100 << 20;  // the limit of the format's own reader
constexpr int64_t kChunk = 1 << 20;        // bytes that are read or converted at once
constexpr const char* kHeaderChecksum = "header_checksum";
constexpr const char* kRealType = sizeof(Real) == 4 ? "F32" : "F64";

// Bytes per element; 0 for a type that heed doesn't read.
int64_t element_size(const std::string& dtype) {
  if (dtype == "I8") return 1;
  if (dtype == "F32") return 4;
  return dtype == "F64" ? 8 : 0;
}

std::string hex(uint32_t checksum) { return fmt::format("{:08x}", checksum); }

std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The CRC-32 `before` of some bytes, continued over further ones.
uint32_t checksum_of(std::string_view bytes, uint32_t before = 0) {
  return static_cast<uint32_t>(
      ::crc32_z(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

Json header_of(const Metadata& metadata, const std::vector<NamedBytes>& tensors) {
  Json header;
  header["__metadata__"] = metadata;
  int64_t begin = 0;
  for (const NamedBytes& tensor : tensors) {
    const int64_t end = begin + static_cast<int64_t>(tensor.bytes.size());
    Json shape = Json::array();
    for (int i = 0; i < tensor.shape.rank(); ++i) shape.push_back(tensor.shape[i]);
    check(!header.contains(tensor.name), "[write_safetensors] names are unique. Received {} twice",
          tensor.name);
    header[tensor.name] = {
        {"dtype", tensor.dtype}, {"shape", shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  return header;
}

// The elements of a shape, or -1 if an extent is negative or the product exceeds `limit`.
int64_t elements(const std::vector<int64_t>& shape, int64_t limit) {
  int64_t product = 1;
  for (const int64_t side : shape) {
    if (side < 0 || (side > 0 && product > limit / side)) return -1;
    product *= side;
  }
  return product;
}

}  // namespace

NamedBytes as_bytes(const std::string& name, const Shape& shape, std::span<const Real> elements) {
  return {name,
          kRealType,
          shape,
          {reinterpret_cast<const char*>(elements.data()), elements.size_bytes()}};
}

void write_safetensors(const std::string& path, Metadata metadata,
                       const std::vector<NamedTensor>& tensors) {
  std::vector<HostView> on_host;  // what the bytes below point into
  for (const NamedTensor& tensor : tensors) on_host.emplace_back(tensor.values);
  std::vector<NamedBytes> all;
  for (size_t i = 0; i < tensors.size(); ++i)
    all.push_back(as_bytes(tensors[i].name, tensors[i].values.shape, on_host[i].all()));
  write_safetensors(path, std::move(metadata), all);
}

void write_safetensors(const std::string& path, Metadata metadata,
                       const std::vector<NamedBytes>& tensors) {
  uint32_t checksum = 0;
  for (const NamedBytes& tensor : tensors) checksum = checksum_of(tensor.bytes, checksum);
  metadata["checksum"] = hex(checksum);
  metadata.erase(kHeaderChecksum);
  Json header = header_of(metadata, tensors);
  header["__metadata__"][kHeaderChecksum] = hex(checksum_of(compact(header)));
  std::string text = compact(header);
  text.resize(round_up<size_t>(text.size(), 8), ' ');  // so that the tensors are aligned

  AtomicFile file(path);
  const uint64_t length = text.size();
  file.write({reinterpret_cast<const char*>(&length), sizeof(length)});
  file.write(text);
  for (const NamedBytes& tensor : tensors) file.write(tensor.bytes);
  file.commit();
}

SafetensorsFile::SafetensorsFile(const std::string& path) : path_(path) {
  if (path.empty())
    fail("the name of the model file is empty: name a file such as RUN_DIR/best.heed");
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // no wait for a pipe
  if (descriptor_ < 0) fail("{}: cannot open: {}", path, std::strerror(errno));
  try {
    struct stat info {};
    if (::fstat(descriptor_, &info) != 0) fail("{}: {}", path, std::strerror(errno));
    if (S_ISDIR(info.st_mode)) fail("{}: is a folder; name a model file in it", path);
    if (!S_ISREG(info.st_mode))
      fail("{}: not a regular file; a model can't come from a pipe", path);
    file_size_ = info.st_size;
    read_header();
    check_layout();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

SafetensorsFile::~SafetensorsFile() { ::close(descriptor_); }

void SafetensorsFile::read_bytes(void* into, int64_t count, int64_t offset) const {
  char* place = static_cast<char*>(into);
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, place, static_cast<size_t>(count), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("{}: cannot read: {}", path_, std::strerror(errno));
    if (got == 0) fail("{}: cut: it became shorter while it was read", path_);
    place += got;
    offset += got;
    count -= got;
  }
}

void SafetensorsFile::read_header() {
  if (file_size_ == 0) fail("{}: empty file, not a heed model", path_);
  char start[9] = {};
  read_bytes(start, std::min<int64_t>(file_size_, 9), 0);
  uint64_t length = 0;
  std::memcpy(&length, start, 8);
  if (file_size_ < 9 || start[8] != '{' || length < 2 || length > kMaxHeader) {
    fail("{}: not a heed model (no safetensors header); text is given with --input or --source",
         path_);
  }
  data_begin_ = 8 + static_cast<int64_t>(length);
  if (data_begin_ > file_size_) {
    fail("{}: cut: {} of at least {} bytes; copy it again", path_, file_size_, data_begin_);
  }
  std::string header(length, '\0');
  read_bytes(header.data(), static_cast<int64_t>(length), 8);
  parse_header(header);
}

void SafetensorsFile::parse_header(const std::string& header) {
  try {
    Json json = Json::parse(header);
    for (const auto& [name, entry] : json.items()) {
      if (name == "__metadata__") {
        metadata_ = entry.get<Metadata>();
        continue;
      }
      StoredTensor& tensor = tensors_[name];
      tensor.dtype = entry.at("dtype").get<std::string>();
      tensor.shape = entry.at("shape").get<std::vector<int64_t>>();
      tensor.begin = entry.at("data_offsets").at(0).get<int64_t>();
      tensor.end = entry.at("data_offsets").at(1).get<int64_t>();
    }
    if (json.contains("__metadata__")) json["__metadata__"].erase(kHeaderChecksum);
    header_checksum_ = checksum_of(compact(json));
  } catch (const Json::exception&) {
    fail("{}: not a heed model (its safetensors header is not as it should be)", path_);
  }
}

void SafetensorsFile::check_layout() const {
  std::vector<std::pair<int64_t, const std::pair<const std::string, StoredTensor>*>> order;
  for (const auto& entry : tensors_) order.emplace_back(entry.second.begin, &entry);
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second->second.end) < std::pair(b.first, b.second->second.end);
  });
  int64_t place = 0;
  for (const auto& [begin, entry] : order) {
    const auto& [name, tensor] = *entry;
    const int64_t size = element_size(tensor.dtype);
    if (size == 0)
      fail("{}: tensor {}: elements of type {}, heed reads F32 and I8", path_, name, tensor.dtype);
    const int64_t count = elements(tensor.shape, kMaxHeader * kChunk / size);
    if (begin != place || tensor.end < begin || count < 0 || tensor.end - begin != count * size) {
      fail("{}: damaged: tensor {} has bytes {} to {}, which doesn't fit its shape or neighbours",
           path_, name, begin, tensor.end);
    }
    place = tensor.end;
  }
  const int64_t whole = data_begin_ + place;
  if (file_size_ < whole) fail("{}: cut: {} of {} bytes; copy it again", path_, file_size_, whole);
  if (file_size_ > whole) fail("{}: damaged: {} bytes instead of {}", path_, file_size_, whole);
}

void SafetensorsFile::verify() const {
  const auto compare = [this](const char* key, uint32_t found) {
    const auto entry = metadata_.find(key);
    const std::string stored = entry == metadata_.end() ? "missing" : entry->second;
    if (stored != hex(found)) {
      fail("{}: damaged: its {} is {}, the content gives {}; copy it again", path_, key, stored,
           hex(found));
    }
  };
  compare(kHeaderChecksum, header_checksum_);
  uint32_t checksum = 0;
  std::vector<char> chunk(kChunk);
  for (int64_t at = data_begin_; at < file_size_; at += kChunk) {
    const int64_t count = std::min(kChunk, file_size_ - at);
    read_bytes(chunk.data(), count, at);
    checksum = checksum_of({chunk.data(), static_cast<size_t>(count)}, checksum);
  }
  compare("checksum", checksum);
}

void SafetensorsFile::check_shape(const std::string& name, const Shape& shape) const {
  const auto entry = tensors_.find(name);
  if (entry == tensors_.end()) fail("{}: tensor {} is missing", path_, name);
  const std::vector<int64_t>& stored = entry->second.shape;
  bool same = static_cast<int>(stored.size()) == shape.rank();
  for (int i = 0; same && i < shape.rank(); ++i) same = stored[static_cast<size_t>(i)] == shape[i];
  if (!same) {
    fail("{}: tensor {} has shape [{}], the model needs {}", path_, name, fmt::join(stored, ", "),
         shape);
  }
}

void SafetensorsFile::read_int8(const std::string& name, Tensor into) const {
  const bool by_columns = tensors_.contains(name + kColumnScale);
  Arena arena(into.device);
  const Tensor scales = arena.tensor({by_columns ? into.shape.last() : into.shape.rows()});
  read(name + (by_columns ? kColumnScale : kRowScale), scales);
  std::vector<int8_t> integers(static_cast<size_t>(into.size()));
  read_bytes(integers.data(), into.size(), data_begin_ + tensors_.at(name).begin);
  kernels::dequantise(upload(arena, integers, into.shape), scales,
                      by_columns ? kernels::ScalesPer::column : kernels::ScalesPer::row, into);
}

void SafetensorsFile::read(const std::string& name, Tensor into) const {
  check_shape(name, into.shape);
  const StoredTensor& tensor = tensors_.at(name);
  if (tensor.dtype == "I8") return read_int8(name, into);
  // The other width: a model of the double build read by the usual one, or the reverse.
  using Other = std::conditional_t<sizeof(Real) == 4, double, float>;
  if (tensor.dtype == kRealType)
    read_as<Real>(tensor.begin, into);
  else
    read_as<Other>(tensor.begin, into);
}

template <typename T>
void SafetensorsFile::read_as(int64_t begin, const Tensor& into) const {
  constexpr int64_t kWidth = sizeof(T), kElements = kChunk / kWidth;
  std::vector<T> stored(static_cast<size_t>(std::min(kElements, into.size())));
  std::vector<Real> elements(stored.size());
  for (int64_t at = 0; at < into.size(); at += kElements) {
    const int64_t count = std::min(kElements, into.size() - at);
    read_bytes(stored.data(), count * kWidth, data_begin_ + begin + at * kWidth);
    std::transform(stored.begin(), stored.begin() + count, elements.begin(),
                   [](T value) { return static_cast<Real>(value); });
    upload(std::span(elements).first(static_cast<size_t>(count)), into.part(at, {count}));
  }
}

}  // namespace heed
