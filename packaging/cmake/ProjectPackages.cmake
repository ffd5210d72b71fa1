# Every package with its purpose. Optional parts end in PLASTISCOPE_<PART> = ON or OFF.
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)       # JSON, everywhere
find_package(CLI11 2.1 REQUIRED)                # command line of plastiscope-cli and plastiscope
find_package(tomlplusplus 3.0 REQUIRED)           # TOML files of sweeps, core/sweep only
if(CMAKE_CXX_FLAGS MATCHES "-stdlib=libc\\+\\+")  # Debian's are compiled with libstdc++; of this one the headers are enough
  set_property(TARGET tomlplusplus::tomlplusplus PROPERTY INTERFACE_COMPILE_OPTIONS "")
else()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)  # HTTP of the command serve, app/cli only
endif()
find_package(Eigen3 3.4 REQUIRED NO_MODULE)     # linear algebra of the analysis
find_package(Boost 1.74 REQUIRED)               # headers alone: Student's t of the intervals
find_package(HDF5 1.10 REQUIRED COMPONENTS C)   # captures and analyses, core/store only
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)  # SHA-256
find_package(ICU REQUIRED COMPONENTS uc i18n)   # character classes and normalisation of the tokenizers
find_path(ONIG_INCLUDE_DIR oniguruma.h REQUIRED)  # patterns of tokenizers that no scanner knows
find_library(ONIG_LIBRARY onig REQUIRED)
find_path(B2_INCLUDE_DIR blake2.h REQUIRED)     # BLAKE2b with an 8-byte digest: numbers for text ids
find_library(B2_LIBRARY b2 REQUIRED)
find_path(DEFLATE_INCLUDE_DIR libdeflate.h REQUIRED)  # CRC-32 of stored data and manifest lines
find_library(DEFLATE_LIBRARY deflate REQUIRED)

# The serial HDF5 only: the MPI variant has the same symbols.
add_library(plastiscope_hdf5 INTERFACE)
target_include_directories(plastiscope_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(plastiscope_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
# The calls of 1.10 with newer libraries too.
target_compile_definitions(plastiscope_hdf5 INTERFACE ${HDF5_C_DEFINITIONS} H5_USE_110_API)

# plastiscope_optional(PART found "what is missing"): turns the request AUTO/ON/OFF into PLASTISCOPE_<PART>.
function(plastiscope_optional part found missing)
  set(request "${PLASTISCOPE_WITH_${part}}")
  if(request STREQUAL "OFF" OR (request STREQUAL "AUTO" AND NOT found))
    set(PLASTISCOPE_${part} OFF PARENT_SCOPE)
  elseif(found)
    set(PLASTISCOPE_${part} ON PARENT_SCOPE)
  else()
    message(FATAL_ERROR "PLASTISCOPE_WITH_${part} is ON but ${missing} was not found")
  endif()
endfunction()

# libtorch: the forward pass.
set(torch_found FALSE)
if(NOT PLASTISCOPE_WITH_TORCH STREQUAL "OFF")
  find_package(Torch 2.6 QUIET)
  if(Torch_FOUND)
    set(torch_found TRUE)
  endif()
endif()
plastiscope_optional(TORCH "${torch_found}" "libtorch 2.6 (CMAKE_PREFIX_PATH)")

# Arrow: Parquet files (the author's captures, corpora), core/parquet only.
set(arrow_found FALSE)
if(NOT PLASTISCOPE_WITH_ARROW STREQUAL "OFF")
  find_package(ArrowParquet 20 QUIET)
  if(ArrowParquet_FOUND)
    set(arrow_found TRUE)
  endif()
endif()
plastiscope_optional(ARROW "${arrow_found}" "Arrow with Parquet (PLASTISCOPE_PYARROW)")

# Qt 6 and QCustomPlot: the desktop application.
set(gui_found FALSE)
if(NOT PLASTISCOPE_WITH_GUI STREQUAL "OFF")
  find_package(Qt6 6.4 QUIET COMPONENTS Core Gui Widgets Network PrintSupport Svg Concurrent)
  find_package(QCustomPlotQt6 QUIET)
  if(Qt6_FOUND AND QCustomPlotQt6_FOUND)
    set(gui_found TRUE)
  endif()
endif()
plastiscope_optional(GUI "${gui_found}" "Qt 6.4 with QCustomPlotQt6")

# VTK: the three-dimensional cloud view.
set(vtk_found FALSE)
if(PLASTISCOPE_GUI AND NOT PLASTISCOPE_WITH_VTK STREQUAL "OFF")
  find_package(Qt6 6.4 QUIET COMPONENTS OpenGLWidgets)
  find_package(VTK 9.1 QUIET COMPONENTS CommonCore CommonDataModel CommonMath InteractionStyle RenderingCore
               RenderingOpenGL2 RenderingUI)
  if(VTK_FOUND AND Qt6OpenGLWidgets_FOUND)
    set(vtk_found TRUE)
  endif()
endif()
plastiscope_optional(VTK "${vtk_found}" "VTK 9.1 with Qt6 OpenGLWidgets")

if(PLASTISCOPE_TESTS)
  find_package(GTest 1.12 REQUIRED)             # tests
endif()
