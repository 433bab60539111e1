// The files of html/, which the build embeds in the program.
#pragma once

#include <string_view>

namespace heed {

// The content of "page.html" (with the placeholders @STYLE@, @DATA@ and @SCRIPT@), of "page.css" or
// of a script; empty for any other name. Valid until the program ends.
std::string_view html_file(std::string_view name);

}  // namespace heed
