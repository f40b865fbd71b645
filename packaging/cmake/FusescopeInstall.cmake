# What `cmake --install` puts where. Executables, libraries and resources find each other by relative paths, so the
# prefix may be moved.
include(CMakePackageConfigHelpers)
set(fusescope_data ${CMAKE_INSTALL_DATADIR}/fusescope)

set_target_properties(fusescope_engine fusescope_profile fusescope_python fusescope_cli PROPERTIES INSTALL_RPATH "$ORIGIN")
set_target_properties(fusescope_codegen PROPERTIES INSTALL_RPATH "$ORIGIN/..")
set_target_properties(fusescope_engine PROPERTIES EXPORT_NAME engine)
set_target_properties(fusescope_profile PROPERTIES EXPORT_NAME profile)
set_target_properties(fusescope_include PROPERTIES EXPORT_NAME include)

install(TARGETS fusescope_engine fusescope_profile fusescope_include EXPORT fusescopeTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS fusescope_python fusescope_cli LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS fusescope_codegen LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/fusescope)

install(DIRECTORY include/fusescope DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/generated/fusescope/ops.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fusescope)
install(DIRECTORY engine/python/ DESTINATION ${fusescope_data}/python
  FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY resources/examples resources/help DESTINATION ${fusescope_data} PATTERN "__pycache__" EXCLUDE)

install(EXPORT fusescopeTargets NAMESPACE fusescope:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fusescope)
configure_package_config_file(packaging/cmake/fusescopeConfig.cmake.in ${CMAKE_BINARY_DIR}/fusescopeConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fusescope)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/fusescopeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/fusescopeConfig.cmake ${CMAKE_BINARY_DIR}/fusescopeConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fusescope)
