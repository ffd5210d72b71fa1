# What will be built, in one glance at the end of the configure step.
message(STATUS "Plastiscope ${PROJECT_VERSION} (${CMAKE_BUILD_TYPE})")
message(STATUS "  capture backend (libtorch ${Torch_VERSION}): ${PLASTISCOPE_TORCH}")
message(STATUS "  Parquet files (Arrow ${ArrowParquet_VERSION}): ${PLASTISCOPE_ARROW}")
message(STATUS "  desktop application (Qt ${Qt6_VERSION}): ${PLASTISCOPE_GUI}")
message(STATUS "  cloud view (VTK ${VTK_VERSION}): ${PLASTISCOPE_VTK}")
message(STATUS "  tests: ${PLASTISCOPE_TESTS}, benchmarks: ${PLASTISCOPE_BENCHMARKS}")
