# Compiler and linker settings that every target shares.
# Table rows are aggregates whose left-out members have defaults, which -Wmissing-field-initializers does not see.
add_compile_options(-Wall -Wextra -Wno-missing-field-initializers)
# GCC 12 sees overlapping copies in any `"text" + std::string` (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)
endif()
if(FUSESCOPE_WERROR)
  add_compile_options(-Werror)
endif()
# Fusion must not change a bit of an elementwise result, so no compiler may contract a*b+c on its own.
add_compile_options(-ffp-contract=off)
if(FUSESCOPE_SANITIZE)
  add_compile_options(-fsanitize=${FUSESCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${FUSESCOPE_SANITIZE})
  # GCC takes what a sanitizer puts between the lines for readings of values that are not set.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()
find_program(FUSESCOPE_CCACHE ccache)
if(FUSESCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FUSESCOPE_CCACHE})
endif()
find_program(FUSESCOPE_MOLD mold)
if(FUSESCOPE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
