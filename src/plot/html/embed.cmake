# Writes OUTPUT, a C++ source with the bytes of the page's files: PAGE, STYLE, and SCRIPTS one after the other.
#
#   cmake -DOUTPUT=page.cc -DPAGE=page.html -DSTYLE=page.css "-DSCRIPTS=a.js;b.js" -P embed.cmake
function(bytes_of variable)
  set(all "")
  foreach(path ${ARGN})
    file(READ "${path}" hex HEX)
    string(APPEND all "${hex}")
  endforeach()
  string(REGEX REPLACE "(..)" "0x\\1," all "${all}")
  # Lines of bounded length: 40 bytes each.
  set(byte "0x..,")
  string(REPEAT "${byte}" 40 line)
  string(REGEX REPLACE "(${line})" "\\1\n" all "${all}")
  set(${variable} "${all}" PARENT_SCOPE)
endfunction()

bytes_of(page "${PAGE}")
bytes_of(style "${STYLE}")
bytes_of(script ${SCRIPTS})
file(WRITE "${OUTPUT}" "// Made by embed.cmake from the files of src/plot/html.
#include \"plot/html_parts.h\"

namespace heed {
namespace {

const unsigned char kPage[] = {
${page}};
const unsigned char kStyle[] = {
${style}};
const unsigned char kScript[] = {
${script}};

template <size_t size>
std::string_view text(const unsigned char (&bytes)[size]) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

std::string_view html_page() { return text(kPage); }
std::string_view html_style() { return text(kStyle); }
std::string_view html_script() { return text(kScript); }

}  // namespace heed
")
