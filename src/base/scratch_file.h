// A temporary file without a name, for data that may be larger than memory. It is written once from
// beginning to end and then read in any order.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace heed {

// The file's space is freed when the object or the process ends, however it ends. Little of the
// file is in this process's memory: writes go through a buffer, and the pages mapped by reads are
// released from time to time (the system may keep them in its own cache).
class ScratchFile {
 public:
  // Makes the file in `folder`, which must exist. `advice` ends every message: it says
  // what the data is and what to do. Throws UserError "FOLDER: cannot make a temporary
  // file: REASON; ADVICE".
  ScratchFile(const std::string& folder, const std::string& advice);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  // append() and finish() throw UserError "FOLDER: cannot write: REASON; ADVICE" (a full disk).
  void append(std::string_view bytes);
  // Ends writing; must be called before at().
  void finish();

  int64_t size() const { return size_; }  // bytes
  // The bytes from offset `begin` on, valid as long as the object exists. Any number of
  // threads may read.
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
