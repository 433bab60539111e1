// The files of the server's web page, which the build embeds in the program.
#pragma once

#include <string_view>

namespace heed::serve {

// The content of "index.html", "page.css" or "page.js"; empty for any other name. Valid until
// the program ends.
std::string_view served_file(std::string_view name);

}  // namespace heed::serve
