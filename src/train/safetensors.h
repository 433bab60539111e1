// The safetensors format: 8 bytes of header length (little-endian), a JSON header, and raw
// little-endian tensors without gaps. The header is
//   {"__metadata__": {text: text},
//    "NAME": {"dtype": "F32", "shape": [..], "data_offsets": [begin, end]}, ...}
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.h"

namespace heed {

using Metadata = std::map<std::string, std::string>;

struct NamedTensor {
  std::string name;
  Tensor values;
};

// A tensor as a file holds it. The bytes are not owned.
struct NamedBytes {
  std::string name;
  std::string dtype;  // "F32" | "F64" | "I8"
  Shape shape;
  std::string_view bytes;
};
NamedBytes as_bytes(const std::string& name, const Shape& shape, std::span<const Real> elements);

// A matrix of type "I8" has one scale per row or per column, in a tensor with the matrix's name and
// one of these endings.
inline constexpr const char* kRowScale = ".row_scale";
inline constexpr const char* kColumnScale = ".column_scale";

// Writes the file whole or not at all (AtomicFile). Adds to the metadata "checksum" (CRC-32 of the
// tensor bytes, hex) and "header_checksum" (CRC-32 of the header as compact JSON with sorted keys,
// without this entry). Elements are written as heed computes them: F32, or F64 in the double build.
// Throws UserError with path and reason.
void write_safetensors(const std::string& path, Metadata metadata,
                       const std::vector<NamedBytes>& tensors);
void write_safetensors(const std::string& path, Metadata metadata,
                       const std::vector<NamedTensor>& tensors);

struct StoredTensor {
  std::string dtype;  // "F32" | "F64" | "I8"
  std::vector<int64_t> shape;
  int64_t begin = 0, end = 0;  // bytes from the end of the header
};

// A file open for reading. Every size that the file claims is checked against its real length
// before memory is allocated. Throws UserError, one line with the path, if anything is wrong.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::string& path);
  ~SafetensorsFile();
  SafetensorsFile(const SafetensorsFile&) = delete;
  SafetensorsFile& operator=(const SafetensorsFile&) = delete;

  const std::string& path() const { return path_; }
  const Metadata& metadata() const { return metadata_; }
  const std::map<std::string, StoredTensor>& tensors() const { return tensors_; }
  // Compares the two checksums with the content; UserError "PATH: damaged: checksum ...".
  void verify() const;
  // UserError unless the tensor is there with exactly this shape.
  void check_shape(const std::string& name, const Shape& shape) const;
  // check_shape, then the elements of the tensor into existing memory of any device; those of type
  // I8 times their scales.
  void read(const std::string& name, Tensor into) const;

 private:
  void read_header();
  void parse_header(const std::string& header);
  void check_layout() const;
  void read_int8(const std::string& name, Tensor into) const;
  // Elements of type T from `begin` on, in bytes from the end of the header.
  template <typename T>
  void read_as(int64_t begin, const Tensor& into) const;
  void read_bytes(void* into, int64_t count, int64_t offset) const;

  std::string path_;
  int descriptor_ = -1;
  int64_t file_size_ = 0;
  int64_t data_begin_ = 0;  // first byte after the header
  uint32_t header_checksum_ = 0;
  Metadata metadata_;
  std::map<std::string, StoredTensor> tensors_;
};

}  // namespace heed
