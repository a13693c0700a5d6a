# What `cmake --install` puts where: the tool, the library with its CMake package, the manual page, the completions.
include(CMakePackageConfigHelpers)

install(TARGETS onnx-expose RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS onnx_expose onnx_expose_fmt onnx_expose_deps_re2 onnx_expose_deps_zlib onnx_expose_deps_crypto
  onnx_expose_deps_event
  EXPORT onnx_expose ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/onnx_expose)
install(EXPORT onnx_expose NAMESPACE onnx_expose:: FILE onnx_expose-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/onnx_expose-config.cmake.in onnx_expose-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(onnx_expose-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/onnx_expose-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/onnx_expose-config-version.cmake DESTINATION ${package_dir})

set(docs ${PROJECT_SOURCE_DIR}/docs)
install(FILES ${docs}/onnx-expose.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES ${docs}/completions/onnx-expose.bash RENAME onnx-expose
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
install(FILES ${docs}/completions/_onnx-expose DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
install(FILES ${docs}/completions/onnx-expose.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
