// The files of the page, which the build puts into the program.
#pragma once

#include <string_view>

namespace heed::serve {

// "index.html", "page.css" or "page.js"; empty for any other name. Valid for the whole run.
std::string_view page_file(std::string_view name);

}  // namespace heed::serve
