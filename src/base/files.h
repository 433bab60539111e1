// Files as users have them: plain, gzip (told by its bytes 1f 8b, not by its name), pipes, "-" for
// standard input.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace heed {

// Reads lines one by one. Only the byte 0x0A ends a line; one 0x0D before it is dropped; a byte
// order mark at the start of the file is dropped. Invalid UTF-8 is passed through as it is (text/
// replaces it). Throws UserError "PATH: cannot open: REASON" (also for a folder), "PATH: cut or
// damaged gzip data".
class LineReader {
 public:
  explicit LineReader(const std::string& path);  // "-" is standard input
  ~LineReader();
  LineReader(LineReader&&) noexcept;

  // The next line without its end; false at the end of the file.
  bool next(std::string& line);
  // 1-based number of the line that next() gave last; 0 before the first.
  int64_t line_number() const;
  // True if a further line can be had without waiting (false where it can't be known).
  bool ready() const;
  // Carriage returns seen that did not stand before a line feed: with no line feed at all, an old
  // Mac file.
  int64_t lone_carriage_returns() const;
  const std::string& path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The whole content, unpacked if gzip. Throws UserError as LineReader does.
std::string read_file(const std::string& path);

// A file that appears whole or not at all: written without a name, or where the file system has no
// such files under a temporary one, in the same folder; synced and put in place by commit().
// Without commit() nothing is left of it and an old file of that name stays as it was. Throws
// UserError with path and reason where the file can't be made or written (a full disk).
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  std::string path_;
  std::string temporary_;  // the name it has now; "": none
  int descriptor_ = -1;
  bool replaces_ = false;  // false: a device, a pipe or an inherited file, written to as it is
};

void write_file(const std::string& path, std::string_view content);  // through AtomicFile

// Output of results: a file (written through AtomicFile, so it appears when done) or "-" for
// standard output. Every write is checked. A closed pipe on standard output throws UserError.
class Output {
 public:
  explicit Output(const std::string& path);
  ~Output();
  void line(std::string_view text);  // text and a line feed
  void flush();                      // standard output only
  void commit();                     // must be called at the end

 private:
  std::string path_;
  std::unique_ptr<AtomicFile> file_;
  std::string buffer_;
};

// Makes the folder and those above it, and proves that a file can be written there. Throws
// UserError.
void make_writable_folder(const std::string& path);

}  // namespace heed
