# Options, compiler settings and the helpers that folders use.
option(PLASTISCOPE_TESTS "Build the tests" ON)
option(PLASTISCOPE_BENCHMARKS "Build the benchmarks" ON)
option(PLASTISCOPE_FUZZ "Build the fuzz targets (Clang with libFuzzer), everything with sanitizers" OFF)
option(PLASTISCOPE_COVERAGE "Count the lines and branches of core that run" OFF)
set(PLASTISCOPE_GENERATED "${CMAKE_BINARY_DIR}/generated" CACHE PATH
    "Folder of generated headers; builds that share it share compiled files in ccache")
option(PLASTISCOPE_WARNINGS_FATAL "Treat warnings as errors" OFF)
option(PLASTISCOPE_CHECK_HEADERS "Compile every header by itself, too" OFF)
# Optional parts: AUTO = built when the package is found, ON = required, OFF = left out.
foreach(part TORCH VTK GUI ARROW)
  set(PLASTISCOPE_WITH_${part} AUTO CACHE STRING "Build with ${part}: AUTO, ON or OFF")
  set_property(CACHE PLASTISCOPE_WITH_${part} PROPERTY STRINGS AUTO ON OFF)
endforeach()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF)  # moc reads no file that another library makes: libraries compile side by side
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
# Results must be the same on every build: no fast-math, no contraction of a*b+c that differs by compiler.
add_compile_options(-ffp-contract=off)
if(PLASTISCOPE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -g1)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

add_library(plastiscope_warnings INTERFACE)
target_compile_options(plastiscope_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-align -Wimplicit-fallthrough
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>)  # GCC 12: falsely inside std::string and variants
if(PLASTISCOPE_WARNINGS_FATAL)
  target_compile_options(plastiscope_warnings INTERFACE -Werror)
endif()

# plastiscope_library(name SOURCES a.cpp ... PUBLIC libs ... PRIVATE libs ...)
# A static library `plastiscope_<name>`; includes are written from the repository root.
function(plastiscope_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  set(target plastiscope_${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  target_include_directories(${target} PUBLIC "${CMAKE_SOURCE_DIR}" "${PLASTISCOPE_GENERATED}")
  target_link_libraries(${target} PUBLIC ${ARG_PUBLIC} PRIVATE plastiscope_warnings ${ARG_PRIVATE})
  if(PLASTISCOPE_CHECK_HEADERS)
    set_property(DIRECTORY PROPERTY PLASTISCOPE_CHECKING ${target})
    cmake_language(DEFER CANCEL_CALL headers)
    cmake_language(DEFER ID headers CALL check_headers)
  endif()
endfunction()

# The headers of a folder, each included first in a file of its own and compiled as the folder's last library is: the
# one with the heavy packages.
function(check_headers)
  get_property(target DIRECTORY PROPERTY PLASTISCOPE_CHECKING)
  file(GLOB_RECURSE headers RELATIVE "${CMAKE_SOURCE_DIR}" CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  foreach(header IN LISTS headers)
    set(source "${CMAKE_BINARY_DIR}/headers/${header}.cpp")
    if(NOT EXISTS "${source}")
      file(WRITE "${source}" "#include \"${header}\"\n")
    endif()
    target_sources(${target} PRIVATE "${source}")
  endforeach()
endfunction()

# plastiscope_embed(list NAME FILE): adds a source file to `list` that defines `std::string_view plastiscope::NAME()`,
# the text of a resource, so that no folder has to be found at run time.
function(plastiscope_embed list name file)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  set(resource "${CMAKE_SOURCE_DIR}/resources/${file}")
  set(script "${CMAKE_SOURCE_DIR}/packaging/cmake/EmbedText.cmake")
  add_custom_command(OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DFILE=${resource}" "-DOUTPUT=${source}" -DNAME=${name} -P "${script}"
    DEPENDS "${resource}" "${script}" VERBATIM)
  set(${list} ${${list}} "${source}" PARENT_SCOPE)
endfunction()

# plastiscope_test(name LABELS unit ... SOURCES a.cpp ... LIBS libs ... [SHARDS n] [TIMEOUT seconds])
# A GoogleTest program `test_<name>`: one process runs all its cases, or each of n processes every n-th of them. The
# cases' names and times are written as JUnit files into tests/results, which packaging/test_report.py counts.
# Test data is found through PLASTISCOPE_TEST_DATA, the programs under test through PLASTISCOPE_BIN.
function(plastiscope_test name)
  cmake_parse_arguments(ARG "" "SHARDS;TIMEOUT" "LABELS;SOURCES;LIBS" ${ARGN})
  set(target test_${name})
  add_executable(${target} ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_definitions(${target} PRIVATE
    PLASTISCOPE_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
    PLASTISCOPE_RESOURCES="${CMAKE_SOURCE_DIR}/resources"
    PLASTISCOPE_BIN="${CMAKE_BINARY_DIR}/bin")
  target_link_libraries(${target} PRIVATE plastiscope_warnings GTest::gmock GTest::gtest ${ARG_LIBS})
  set_property(GLOBAL APPEND PROPERTY PLASTISCOPE_TEST_PROGRAMS "${name}")
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 900)
  endif()
  math(EXPR last "${ARG_SHARDS} - 1")
  foreach(shard RANGE ${last})
    set(test ${name})
    if(ARG_SHARDS GREATER 1)
      set(test ${name}.${shard})
    endif()
    add_test(NAME ${test} COMMAND ${target})
    # Memory is filled when it is taken and, past the threads' own lists, when it is given back: use after free and of
    # what was never set shows.
    # Threads that wait sleep: spinning ones would take the processor from the other tests.
    set_tests_properties(${test} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} COST ${ARG_SHARDS}
      ENVIRONMENT "MALLOC_PERTURB_=165;GLIBC_TUNABLES=glibc.malloc.tcache_count=0;OMP_WAIT_POLICY=passive;GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard};GTEST_OUTPUT=xml:${CMAKE_BINARY_DIR}/tests/results/${test}.xml")
  endforeach()
endfunction()
