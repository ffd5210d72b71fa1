# What `cmake --install` puts where, below any prefix: bin, libexec, lib/plastiscope, share. The programs find libraries
# and resources from their own place. Four components:
#   program   the window and the command line, with Arrow where it is no library of the system
#   capture   the backend, with its libtorch
#   wheel     the backend alone, for the PyTorch of a Python environment: plastiscope-capture-2.13, for example
#   portable  every other library, for an archive that runs where nothing is installed (packaging/package.sh)
set(private_libraries lib/plastiscope)
# Of the folders that the system's loader knows: packages name them as dependencies.
set(system_libraries "^/(usr/)?lib(64)?/([^/]*-linux-gnu[^/]*/)?[^/]+$")

# The build folder has share/plastiscope, too.
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/share")
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/resources" "${CMAKE_BINARY_DIR}/share/plastiscope" SYMBOLIC)
# What the engine "transformers" runs, found from a program by python_finder.cpp.
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/libexec/plastiscope")
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/app/python/src" "${CMAKE_BINARY_DIR}/libexec/plastiscope/python" SYMBOLIC)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/app/python/src/plastiscope" DESTINATION libexec/plastiscope/python COMPONENT program
  FILES_MATCHING PATTERN "*.py")

# Whom Debian's packages name, and the list of versions in its form; what changed is said in one place.
set(CPACK_PACKAGE_CONTACT "The maintainers of Plastiscope <maintainers@plastiscope.invalid>")
execute_process(COMMAND date --utc --rfc-email --date "${release_date}" OUTPUT_VARIABLE released OUTPUT_STRIP_TRAILING_WHITESPACE)
set(debian_changelog "${CMAKE_BINARY_DIR}/documents/changelog")
file(WRITE "${debian_changelog}" "plastiscope (${PROJECT_VERSION}) unstable; urgency=medium

  * See CHANGELOG.md in this folder.

 -- ${CPACK_PACKAGE_CONTACT}  ${released}
")
execute_process(COMMAND gzip -9nkf "${debian_changelog}")

# install_program(program folder component places...): where the build folder's program finds its libraries, beside the
# places of the system.
function(install_program program folder component)
  file(RELATIVE_PATH libraries "/${folder}" "/${private_libraries}")
  # CMake's own list for the build folder, which it exchanges when installing, ends with an empty place: the loader would look
  # for libraries in the folder that a person works in.
  set(places "$ORIGIN/${libraries}" ${ARGN})
  set_target_properties(${program} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON INSTALL_RPATH "${places}")
  # RPATH instead of RUNPATH holds for what the libraries need in turn.
  target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
  install(TARGETS ${program} RUNTIME_DEPENDENCY_SET ${component}_libraries
    RUNTIME DESTINATION ${folder} COMPONENT ${component})
  install(CODE "file(RPATH_SET FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/${program}\" NEW_RPATH \"$ORIGIN/${libraries}\")"
    COMPONENT ${component})
endfunction()

# `--strip` reaches the programs; this, libraries of wheels beside them, whose names of functions are a fifth of libtorch.
function(strip_libraries component)
  install(CODE "if(CMAKE_INSTALL_DO_STRIP)
    file(GLOB libraries \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${private_libraries}/lib*\")
    foreach(library IN LISTS libraries)
      execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded \"\${library}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
  endif()" COMPONENT ${component})
endfunction()

# The manual and the completions of a program, printed by itself.
function(install_documents program)
  set(folder "${CMAKE_BINARY_DIR}/documents")
  set(script "${CMAKE_SOURCE_DIR}/packaging/make_documents.sh")
  set(page "${folder}/${program}.1.gz")
  add_custom_command(OUTPUT "${page}" "${folder}/${program}" "${folder}/_${program}" "${folder}/${program}.fish"
    COMMAND bash "${script}" "$<TARGET_FILE:${program}>" "${folder}" DEPENDS ${program} "${script}" VERBATIM)
  add_custom_target(documents_${program} ALL DEPENDS "${page}")
  install(FILES "${page}" DESTINATION share/man/man1 COMPONENT program)
  install(FILES "${folder}/${program}" DESTINATION share/bash-completion/completions COMPONENT program)
  install(FILES "${folder}/${program}.fish" DESTINATION share/fish/vendor_completions.d COMPONENT program)
  foreach(place vendor-completions site-functions)  # below /usr Debian's zsh reads the first, others the second
    install(FILES "${folder}/_${program}" DESTINATION share/zsh/${place} COMPONENT program)
  endforeach()
endfunction()

# The licences of a Python wheel whose libraries are installed: `beside` is a folder of its package.
function(install_wheel_licences name beside component)
  file(GLOB licences "${beside}/../${name}-*.dist-info/licenses")
  foreach(folder IN LISTS licences)
    install(DIRECTORY "${folder}/" DESTINATION share/doc/plastiscope/${name} COMPONENT ${component})
  endforeach()
endfunction()

if(PLASTISCOPE_ARROW AND TARGET ArrowParquet::arrow)
  get_target_property(arrow_library ArrowParquet::arrow IMPORTED_LOCATION)
  get_filename_component(arrow_folder "${arrow_library}" DIRECTORY)
endif()
install_program(plastiscope-cli bin program ${arrow_folder})
install_documents(plastiscope-cli)
if(PLASTISCOPE_GUI)
  install_program(plastiscope bin program ${arrow_folder})
  install_documents(plastiscope)
  set(desktop "${CMAKE_SOURCE_DIR}/packaging/desktop")
  install(FILES "${desktop}/plastiscope.desktop" DESTINATION share/applications COMPONENT program)
  install(FILES "${desktop}/plastiscope.xml" DESTINATION share/mime/packages COMPONENT program)
  set(metainfo "${CMAKE_BINARY_DIR}/documents/org.plastiscope.plastiscope.metainfo.xml")
  configure_file("${desktop}/plastiscope.metainfo.xml.in" "${metainfo}" @ONLY)
  install(FILES "${metainfo}" DESTINATION share/metainfo COMPONENT program)
  install(FILES "${CMAKE_SOURCE_DIR}/resources/icons/plastiscope.svg"
    DESTINATION share/icons/hicolor/scalable/apps COMPONENT program)
endif()
install(RUNTIME_DEPENDENCY_SET program_libraries POST_EXCLUDE_REGEXES "${system_libraries}"
  LIBRARY DESTINATION ${private_libraries} COMPONENT program)
strip_libraries(program)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/resources/example" DESTINATION share/plastiscope COMPONENT program
  PATTERN "*.sh" EXCLUDE PATTERN "*.analysis.h5" EXCLUDE PATTERN "*.notes.json" EXCLUDE)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/resources/help" DESTINATION share/doc/plastiscope COMPONENT program
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/packaging/cluster" DESTINATION share/doc/plastiscope COMPONENT program)
install(FILES "${CMAKE_SOURCE_DIR}/README.md" "${CMAKE_SOURCE_DIR}/packaging/CHANGELOG.md"
  "${CMAKE_SOURCE_DIR}/packaging/CITATION.cff" "${CMAKE_SOURCE_DIR}/packaging/copyright" "${debian_changelog}.gz"
  DESTINATION share/doc/plastiscope COMPONENT program)
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" DESTINATION share/doc/plastiscope COMPONENT portable EXCLUDE_FROM_ALL)
if(arrow_folder)
  install_wheel_licences(pyarrow "${arrow_folder}" program)
endif()

if(PLASTISCOPE_TORCH)
  get_filename_component(torch_folder "${TORCH_INSTALL_PREFIX}/lib" ABSOLUTE)
  install_program(plastiscope-capture libexec/plastiscope capture ${arrow_folder} ${torch_folder})
  install(RUNTIME_DEPENDENCY_SET capture_libraries PRE_EXCLUDE_REGEXES "^libarrow" "^libparquet"
    POST_EXCLUDE_REGEXES "${system_libraries}" LIBRARY DESTINATION ${private_libraries} COMPONENT capture)
  strip_libraries(capture)
  install(FILES "${CMAKE_SOURCE_DIR}/packaging/copyright" "${debian_changelog}.gz" DESTINATION share/doc/plastiscope-capture COMPONENT capture)
  install_wheel_licences(torch "${TORCH_INSTALL_PREFIX}" capture)

  string(REGEX MATCH "^[0-9]+\\.[0-9]+" torch_minor "${Torch_VERSION}")
  install(TARGETS plastiscope-capture RUNTIME DESTINATION libexec/plastiscope COMPONENT wheel EXCLUDE_FROM_ALL)
  install(CODE "set(program \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/libexec/plastiscope/plastiscope-capture\")
    file(RPATH_SET FILE \"\${program}\" NEW_RPATH \"$ORIGIN/../../${private_libraries}\")
    file(RENAME \"\${program}\" \"\${program}-${torch_minor}\")" COMPONENT wheel EXCLUDE_FROM_ALL)
endif()

if(PLASTISCOPE_GUI)
  install(CODE "set(qt_plugins \"${QT6_INSTALL_PREFIX}/${QT6_INSTALL_PLUGINS}\")" COMPONENT portable EXCLUDE_FROM_ALL)
endif()
install(SCRIPT "${CMAKE_SOURCE_DIR}/packaging/cmake/PortableLibraries.cmake" COMPONENT portable EXCLUDE_FROM_ALL)

# ---- Debian packages, by CPack

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME plastiscope)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
string(REGEX REPLACE "^A " "" CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/packages")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)  # unpacks libtorch in a second, where xz takes twenty
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${arrow_folder})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME plastiscope)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "fonts-noto-core, fonts-texgyre, libgl1-mesa-dri")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS plastiscope-capture)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "Opens, analyses, compares and draws captures of the queries and keys of
 attention heads: the window, and the command line plastiscope-cli.")
if(PLASTISCOPE_TORCH)
  # The backend has its own libtorch: a program in C++ runs only with the release that it was built with, so one found
  # at run time would mostly be the wrong one. It is a package of its own because who reads captures needs none of it.
  list(APPEND CPACK_COMPONENTS_ALL capture)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${TORCH_INSTALL_PREFIX}/lib")
  set(CPACK_DEBIAN_CAPTURE_PACKAGE_NAME plastiscope-capture)
  set(CPACK_DEBIAN_CAPTURE_PACKAGE_DEPENDS "plastiscope (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_CAPTURE_DESCRIPTION
    "The backend of plastiscope-cli capture: runs a model over texts and keeps
 the queries and keys of its heads. Brings its own libtorch ${Torch_VERSION}.")
endif()
include(CPack)
