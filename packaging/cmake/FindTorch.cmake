# libtorch: target Torch::Torch, TORCH_INSTALL_PREFIX, Torch_VERSION, out of a PyTorch wheel or libtorch's archive where
# CMAKE_PREFIX_PATH says, or in build/venv. PyTorch's own CMake package is not asked: for a wheel that can use graphics
# cards, which is what pip fetches, it wants the whole CUDA toolkit, and nothing here needs a header of that.
file(GLOB torch_of_venv "${CMAKE_SOURCE_DIR}/build/venv/lib/python3*/site-packages/torch")
set(torch_version_file share/cmake/Torch/TorchConfigVersion.cmake)
find_path(TORCH_INSTALL_PREFIX "${torch_version_file}" HINTS ${CMAKE_PREFIX_PATH} ${torch_of_venv} NO_CACHE)
if(TORCH_INSTALL_PREFIX)
  file(STRINGS "${TORCH_INSTALL_PREFIX}/${torch_version_file}" torch_version REGEX "PACKAGE_VERSION \"")
  string(REGEX REPLACE "[^0-9.]" "" Torch_VERSION "${torch_version}")
endif()
foreach(library torch_cpu c10 torch_cuda)
  find_library(${library}_library ${library} HINTS "${TORCH_INSTALL_PREFIX}/lib" NO_DEFAULT_PATH NO_CACHE)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Torch REQUIRED_VARS torch_cpu_library c10_library VERSION_VAR Torch_VERSION)
if(Torch_FOUND AND NOT TARGET Torch::Torch)
  add_library(Torch::Torch INTERFACE IMPORTED)
  set(torch_headers "${TORCH_INSTALL_PREFIX}/include")
  target_include_directories(Torch::Torch SYSTEM INTERFACE "${torch_headers}" "${torch_headers}/torch/csrc/api/include")
  target_link_libraries(Torch::Torch INTERFACE "${torch_cpu_library}" "${c10_library}")
  if(torch_cuda_library)  # it registers itself when it is loaded: no symbol of it is named
    target_link_libraries(Torch::Torch INTERFACE "-Wl,--push-state,--no-as-needed,${torch_cuda_library},--pop-state")
  endif()
endif()
