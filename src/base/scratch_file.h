// A temporary file without a name, for data that may be larger than memory: written once from front
// to back, then read in any order.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace heed {

// The space of the file is free again when the object or the process ends, however it ends. What of
// it is in this process's memory stays small: writing goes through a buffer, and of the pages that
// reading maps all are let go every so often (the system may keep them in its own cache).
class ScratchFile {
 public:
  // In the folder, which exists. `advice` ends every message: what the data is, and what to do.
  // Throws UserError "FOLDER: cannot make a temporary file: REASON; ADVICE".
  ScratchFile(const std::string& folder, const std::string& advice);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  // Throws UserError "FOLDER: cannot write: REASON; ADVICE" (a full disk), as finish() does.
  void append(std::string_view bytes);
  // Ends the writing; must be called before at().
  void finish();

  int64_t size() const { return size_; }  // bytes
  // The bytes from place `begin` on, valid while the object lives. Any number of threads may read.
  const char* at(int64_t begin) const;

 private:
  void write(std::string_view bytes);
  void flush();

  std::string folder_, advice_;
  int descriptor_ = -1;
  std::string buffer_;
  int64_t size_ = 0;
  char* map_ = nullptr;  // all bytes; null before finish()
  mutable std::atomic<uint32_t> reads_{0};
};

}  // namespace heed
