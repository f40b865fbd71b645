# fusescope_definitions(TARGET DIRECTORY PREFIX TYPE [HEADER header])
#
# Adds every *.cpp of DIRECTORY to TARGET and generates the list that names each once: a source file with one function
#
#     std::vector<TYPE> PREFIX_all();        // calls PREFIX_<file name without .cpp>() for each file, in order of names
#
# so that a definition lives in its own file and nowhere else. Static initialisers are not used: linkers drop them from
# static libraries without a word. A file that lacks its function is a link error. HEADER declares TYPE.
# Files whose names start with '_' are helpers of their neighbours: compiled, not listed.
function(fusescope_definitions target directory prefix type)
  cmake_parse_arguments(ARG "" "HEADER" "" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${directory}/*.cpp)
  list(SORT sources)
  set(declarations "")
  set(calls "")
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    if(NOT name MATCHES "^_")
      string(APPEND declarations "${type} ${prefix}_${name}();\n")
      string(APPEND calls "    all.push_back(${prefix}_${name}());\n")
    endif()
  endforeach()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${prefix}_all.cpp)
  file(CONFIGURE OUTPUT ${generated} CONTENT
"// Generated from the files of ${directory}/: one call for each.
#include <vector>

#include \"${ARG_HEADER}\"

namespace fusescope {

${declarations}
std::vector<${type}> ${prefix}_all() {
    std::vector<${type}> all;
${calls}    return all;
}

}  // namespace fusescope
" @ONLY)
  target_sources(${target} PRIVATE ${sources} ${generated})
endfunction()
