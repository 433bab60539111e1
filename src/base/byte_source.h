// Reads the bytes of a file or of standard input and decompresses gzip.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

struct z_stream_s;

namespace heed {

class ByteSource {
 public:
  explicit ByteSource(const std::string& path);  // "-" is standard input
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Appends some bytes to `text`, possibly none before the end. Returns false at the end of the
  // input. Blocks while a pipe has no data.
  bool append_to(std::string& text);
  // True if append_to() would not block.
  bool can_read() const;
  // The path, or "standard input".
  const std::string& name() const { return name_; }

 private:
  size_t read_raw();
  void find_kind();
  void unpack_to(std::string& text);

  std::string name_;
  int descriptor_ = -1;
  bool kind_known_ = false;
  bool ended_ = false;
  std::string raw_;                     // compressed or plain bytes not yet returned
  std::unique_ptr<z_stream_s> unpack_;  // set for gzip
  bool member_open_ = false;            // inside a gzip member (a file may hold several)
};

}  // namespace heed
