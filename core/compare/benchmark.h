#pragma once
// Benchmark scores: those shipped with the program and the user's own CSV.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

struct BenchmarkScore {
  std::string model;  // as the benchmark names it, or an id of reference_data.h
  double score = 0;
  std::optional<std::int64_t> length;  // tokens; none = an overall score
  std::string suite, mode;             // scores are compared within one suite and mode; may be empty
  std::string source;                  // printed, notes, or the user's file
  std::string match;                   // the model it is of, where the name alone does not say so exactly
};

struct Benchmark {
  std::string name;     // "longbench_pro"
  std::string title;    // "LongBench-Pro"
  std::string content;  // one sentence: what, of which models, in which mode
  std::vector<std::string> caveats;
  std::string ranges;  // lengthRanges() that belong to its lengths; empty: any that end there
  std::vector<BenchmarkScore> scores;
  Table toTable() const;  // model, score, length, suite, mode, source, match
};

// longbench_pro, ruler, ruler_base (the counter-example).
std::vector<std::string> benchmarkNames();
// A name, or a CSV file (benchmark_file.h). UsageError for what is neither; InputError with line and column
// for a file that cannot be used.
Benchmark loadBenchmark(const std::string& nameOrFile);

// A CSV file with the columns model, score and, if wanted, length, suite, mode, benchmark. With a benchmark
// (one of benchmarkNames(), the same in every row) its scores come first, and a score of the file stands
// instead of one of the same model, length, suite and mode. InputError with line and column.
Benchmark readBenchmarkFile(const std::string& file);

}  // namespace plastiscope
