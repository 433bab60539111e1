#include "base/files.h"

#include <algorithm>

#include "base/byte_source.h"

namespace heed {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr size_t kNone = std::string::npos;

}  // namespace

struct LineReader::State {
  explicit State(const std::string& path_given) : path(path_given), source(path_given) {}

  std::string path;
  ByteSource source;
  std::string buffer;
  size_t begin = 0;    // start of the text not yet returned
  size_t looked = 0;   // there is no line feed in [begin, looked)
  bool ended = false;  // the source has no more bytes
  int64_t line_number = 0;
  int64_t lone_carriage_returns = 0;

  // The position of the next line feed in the buffer.
  size_t find_end() {
    const size_t end = buffer.find('\n', looked);
    if (end == kNone) looked = buffer.size();
    return end;
  }

  void fill() {
    buffer.erase(0, begin);
    looked -= begin;
    begin = 0;
    ended = !source.append_to(buffer);
  }

  std::string_view take(size_t end, size_t after) {
    std::string_view line = std::string_view(buffer).substr(begin, end - begin);
    begin = looked = after;
    if (line_number == 0 && line.starts_with(kByteOrderMark))
      line.remove_prefix(kByteOrderMark.size());
    return line;
  }
};

LineReader::LineReader(const std::string& path) : state_(std::make_unique<State>(path)) {}
LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;

bool LineReader::next(std::string& line) {
  State& s = *state_;
  size_t end = s.find_end();
  for (; end == kNone && !s.ended; end = s.find_end()) s.fill();
  std::string_view text;
  if (end != kNone) {
    text = s.take(end, end + 1);
    if (text.ends_with('\r')) text.remove_suffix(1);
  } else {
    text = s.take(s.buffer.size(), s.buffer.size());
    if (text.empty()) return false;
  }
  ++s.line_number;
  s.lone_carriage_returns += std::count(text.begin(), text.end(), '\r');
  line.assign(text);
  return true;
}

int64_t LineReader::line_number() const { return state_->line_number; }

bool LineReader::ready() const {
  State& s = *state_;
  while (s.find_end() == kNone) {
    if (s.ended) return s.begin < s.buffer.size();
    if (!s.source.can_read()) return false;
    s.fill();
  }
  return true;
}

int64_t LineReader::lone_carriage_returns() const { return state_->lone_carriage_returns; }

const std::string& LineReader::path() const { return state_->path; }

std::string read_file(const std::string& path) {
  ByteSource source(path);
  std::string content;
  while (source.append_to(content)) {
  }
  return content;
}

}  // namespace heed
