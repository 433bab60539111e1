// Reading and writing files: plain or gzip (recognised by the bytes 1f 8b, not by the name), pipes,
// and "-" for standard input or output.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace heed {

// Reads a file line by line. Only the byte 0x0A ends a line; one 0x0D before it is dropped,
// and so is a byte order mark at the start of the file. Invalid UTF-8 is passed through (text/
// replaces it). Throws UserError "PATH: cannot open: REASON" (also for a folder) and "PATH: cut or
// damaged gzip data".
class LineReader {
 public:
  explicit LineReader(const std::string& path);  // "-" is standard input
  ~LineReader();
  LineReader(LineReader&&) noexcept;

  // Stores the next line without its line feed; returns false at the end of the file.
  bool next(std::string& line);
  // The 1-based number of the line that next() returned last; 0 before the first.
  int64_t line_number() const;
  // True if next() would not block; false if that cannot be known.
  bool ready() const;
  // The number of carriage returns so far that did not precede a line feed. A file with many of
  // them and no line feed comes from an old Mac.
  int64_t lone_carriage_returns() const;
  const std::string& path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The whole content, decompressed if it is gzip. Throws UserError as LineReader does.
std::string read_file(const std::string& path);

// A file that appears completely or not at all. The content is written to a file without a name in
// the same folder, or to a temporary name if the file system has no nameless files; commit() syncs
// it and moves it into place. Without commit() nothing is left behind and an old file of that name
// stays as it was. Throws UserError with path and reason if the file cannot be made or written
// (a full disk).
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
  std::string temporary_;  // its present name; "": none
  int descriptor_ = -1;
  bool replaces_ = false;  // false: a device, a pipe or an inherited descriptor, written directly
};

void write_file(const std::string& path, std::string_view content);  // through AtomicFile

// The destination of results: a file (an AtomicFile, so it appears when it is complete) or "-" for
// standard output. Every write is checked; a closed pipe on standard output throws UserError.
class Output {
 public:
  explicit Output(const std::string& path);
  ~Output();
  void line(std::string_view text);  // appends a line feed
  void flush();                      // affects standard output only
  void commit();                     // must be called at the end

 private:
  std::string path_;
  std::unique_ptr<AtomicFile> file_;
  std::string buffer_;
};

// Makes the folder and its parents, and checks that a file can be written there. Throws UserError.
void make_writable_folder(const std::string& path);

}  // namespace heed
