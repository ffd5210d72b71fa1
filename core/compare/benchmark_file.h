#pragma once
// The user's own scores, alone or added to those of a benchmark that comes with the program.
#include "core/compare/benchmark.h"

namespace plastiscope {

// A CSV file with the columns model, score and, if wanted, length, suite, mode, benchmark. With a benchmark
// (one of benchmarkNames(), the same in every row) its scores come first, and a score of the file stands
// instead of one of the same model, length, suite and mode. InputError with line and column.
Benchmark readBenchmarkFile(const std::string& file);

}  // namespace plastiscope
