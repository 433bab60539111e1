// The files of html/ as they are in the binary (embed.cmake puts them there).
#pragma once

#include <string_view>

namespace heed {

std::string_view html_page();  // with @STYLE@, @DATA@ and @SCRIPT@ where these go
std::string_view html_style();
std::string_view html_script();

}  // namespace heed
