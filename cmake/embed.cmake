# Puts text files into a program.
#
# heed_embed(TARGET NAME NAMESPACE N FILES ...): adds to the target, of a room ROOM, a source file made of FILES
# (paths from the room's folder) that defines what ROOM/NAME.h declares:
#   namespace N { std::string_view NAME(std::string_view file); }
# It gives the content of the file of that name (without folders), and nothing for any other name.
# The source is made anew when a file changes.
#
# The same file, run as a script (cmake -P), makes that source.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(HEED_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
  function(heed_embed target name)
    cmake_parse_arguments(PARSE_ARGV 2 embed "" "NAMESPACE" "FILES")
    get_filename_component(room ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    list(TRANSFORM embed_FILES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DROOM=${room} -DNAME=${name}
              -DNAMESPACE=${embed_NAMESPACE} "-DINPUTS=${embed_FILES}"
              -P ${HEED_EMBED_SCRIPT}
      DEPENDS ${embed_FILES} ${HEED_EMBED_SCRIPT}
      VERBATIM)
    target_sources(${target} PRIVATE ${output})
  endfunction()
  return()
endif()

set(source "// Made by cmake/embed.cmake; what it holds is edited in its own files.\n#include \"${ROOM}/${NAME}.h\"\n
namespace ${NAMESPACE} {\n
std::string_view ${NAME}(std::string_view file) {\n")
foreach(input IN LISTS INPUTS)
  file(READ ${input} content)
  get_filename_component(file ${input} NAME)
  if(content MATCHES "\\)embed\"")
    message(FATAL_ERROR "${input}: must not contain )embed\", which ends it in the source made of it")
  endif()
  string(APPEND source "  if (file == \"${file}\") return R\"embed(${content})embed\";\n")
endforeach()
string(APPEND source "  return {};\n}\n\n}  // namespace ${NAMESPACE}\n")
file(WRITE ${OUTPUT} "${source}")
