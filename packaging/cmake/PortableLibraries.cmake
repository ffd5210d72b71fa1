# Run by the installation of the component "portable", behind the others: copies the libraries that the installed
# programs need, and Qt's plugins, beside them. Left to the system are the C and C++ libraries, OpenGL with its drivers,
# the base of X11 and the fonts: their versions belong to the machine.
set(left_to_the_system
  "^ld-linux" "^lib(c|m|dl|pthread|rt|resolv|util|stdc\\+\\+|gcc_s)\\.so"
  "^lib(GL|EGL|GLX|OpenGL|GLdispatch|gbm|drm)\\.so" "^lib(X11|X11-xcb|xcb|Xext|Xau|Xdmcp|ICE|SM)\\.so"
  "^lib(fontconfig|freetype|expat|uuid|z)\\.so")
set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(libraries "${root}/lib/plastiscope")
file(GLOB for_a_torch "${root}/libexec/plastiscope/plastiscope-capture-*")
if(for_a_torch)  # backends of the wheel, which use the PyTorch of the Python environment
  list(APPEND left_to_the_system "^lib(torch|torch_cpu|c10)\\.so")
endif()

if(qt_plugins)
  foreach(plugin platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqminimal.so xcbglintegrations/libqxcb-glx-integration.so
          xcbglintegrations/libqxcb-egl-integration.so imageformats/libqsvg.so imageformats/libqjpeg.so
          iconengines/libqsvgicon.so platforminputcontexts/libcomposeplatforminputcontextplugin.so
          platforminputcontexts/libibusplatforminputcontextplugin.so)
    get_filename_component(kind "${plugin}" DIRECTORY)
    file(INSTALL "${qt_plugins}/${plugin}" DESTINATION "${libraries}/plugins/${kind}")
  endforeach()
endif()

file(GLOB programs "${root}/bin/plastiscope*" "${root}/libexec/plastiscope/plastiscope-capture*")
file(GLOB plugins "${libraries}/plugins/*/*.so")
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} LIBRARIES ${plugins}
  RESOLVED_DEPENDENCIES_VAR needed UNRESOLVED_DEPENDENCIES_VAR missing CONFLICTING_DEPENDENCIES_PREFIX twice
  PRE_EXCLUDE_REGEXES ${left_to_the_system})
if(missing)
  message(FATAL_ERROR "not found: ${missing}")
endif()
foreach(name IN LISTS twice_FILENAMES)  # in the system, and brought by libtorch
  if(NOT EXISTS "${libraries}/${name}")
    list(GET "twice_${name}" 0 library)
    list(APPEND needed "${library}")
  endif()
endforeach()
foreach(library IN LISTS needed)
  string(FIND "${library}" "${root}/" inside)
  if(inside EQUAL -1)
    # Under the name that programs ask for: a wheel has no links.
    get_filename_component(file "${library}" REALPATH)
    get_filename_component(name "${library}" NAME)
    file(COPY_FILE "${file}" "${libraries}/${name}")
    list(APPEND bundled "${library}")
    file(RPATH_REMOVE FILE "${libraries}/${name}")  # of a library, it would hide that of the program
  endif()
endforeach()

# What Debian says about the licences of these libraries, and the texts that it refers to.
if(EXISTS /usr/share/common-licenses)
  file(INSTALL /usr/share/common-licenses DESTINATION "${root}/share/doc/plastiscope/libraries")
endif()
foreach(library IN LISTS bundled)
  get_filename_component(file "${library}" REALPATH)
  get_filename_component(name "${file}" NAME)
  execute_process(COMMAND dpkg-query -S "*/${name}" OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE unknown)
  if(NOT unknown AND owner MATCHES "^([^:, ]+)")
    set(package "${CMAKE_MATCH_1}")
    file(INSTALL "/usr/share/doc/${package}/copyright" DESTINATION "${root}/share/doc/plastiscope/libraries/${package}"
      FOLLOW_SYMLINK_CHAIN)
  endif()
endforeach()
