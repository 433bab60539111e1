// The files of html/, which the build puts into the program.
#pragma once

#include <string_view>

namespace heed::plot {

// "page.html", with @STYLE@, @DATA@ and @SCRIPT@ where these go, "page.css", or one of the scripts;
// empty for any other name. Valid for the whole run.
std::string_view page_file(std::string_view name);

}  // namespace heed::plot
