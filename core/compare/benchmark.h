#pragma once
// Benchmark scores: those shipped with the program and a user's CSV file.
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
  std::string match;                   // exact model, if the name alone does not determine it
};

struct Benchmark {
  std::string name;     // "longbench_pro"
  std::string title;    // "LongBench-Pro"
  std::string content;  // one sentence: what, of which models, in which mode
  std::vector<std::string> caveats;
  std::string ranges;  // name of its ranges in lengthRanges(); "": any that end at its lengths
  std::vector<BenchmarkScore> scores;
  Table toTable() const;  // model, score, length, suite, mode, source, match
};

// longbench_pro, ruler, ruler_base (the counter-example).
std::vector<std::string> benchmarkNames();
// Loads a shipped benchmark by name, or a CSV file with the columns model, score and optionally length,
// suite, mode, benchmark. With a benchmark (one of benchmarkNames(), the same in every row) the file extends
// it; a score of the file replaces one with the same model, length, suite and mode. UsageError for neither;
// InputError with line and column for an invalid file.
Benchmark loadBenchmark(const std::string& nameOrFile);

}  // namespace plastiscope
