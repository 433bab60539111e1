#include "text/mend.h"

#include <utf8.h>

#include <iterator>

namespace heed {

bool is_valid_utf8(std::string_view text) { return utf8::is_valid(text.begin(), text.end()); }

std::string mend_utf8(std::string_view text) {
  std::string mended;
  utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(mended), 0xFFFD);
  return mended;
}

bool mend_line(std::string& line) {
  if (is_valid_utf8(line)) return false;
  line = mend_utf8(line);
  return true;
}

}  // namespace heed
