#include "core/compare/benchmark.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/compare/benchmark_file.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

std::optional<std::int64_t> lengthOf(double length) {
  if (std::isfinite(length)) return static_cast<std::int64_t>(length);
  return std::nullopt;
}

Benchmark longbenchPro() {
  Benchmark benchmark{"longbench_pro",
                      "LongBench-Pro",
                      "Overall scores of instruct models and, where published, scores by context length",
                      {},
                      "longbench_pro",
                      {}};
  for (const char* name : {"longbench_pro_overall", "longbench_pro_lengths"}) {
    for (const std::string& caveat : requiredReference(name).caveats) benchmark.caveats.push_back(caveat);
  }
  const Table overall = referenceTable("longbench_pro_overall"),
              byLength = referenceTable("longbench_pro_lengths");
  for (std::size_t row = 0; row < overall.rows(); ++row) {
    benchmark.scores.push_back({overall.texts("model")[row], overall.numbers("score")[row], std::nullopt,
                                "overall", overall.texts("mode")[row], overall.texts("source")[row], ""});
  }
  for (std::size_t row = 0; row < byLength.rows(); ++row) {
    const std::string& cut = byLength.texts("truncation")[row];
    benchmark.scores.push_back({byLength.texts("model")[row], byLength.numbers("score")[row],
                                lengthOf(byLength.numbers("length")[row]),
                                cut.empty() ? "lengths" : "lengths cut to " + cut,
                                byLength.texts("mode")[row], byLength.texts("source")[row], ""});
  }
  return benchmark;
}

std::string matchOf(const Table& matches, const std::string& suite, const std::string& model) {
  for (std::size_t row = 0; row < matches.rows(); ++row) {
    if (matches.texts("suite")[row] == suite && matches.texts("benchmark_model")[row] == model)
      return matches.texts("model")[row];
  }
  return "";
}

void addRuler(Benchmark& benchmark, const std::string& suite) {
  benchmark.ranges = "ruler";
  const Table ruler = referenceTable("ruler"), matches = referenceTable("benchmark_matches");
  for (std::size_t row = 0; row < ruler.rows(); ++row) {
    if (ruler.texts("suite")[row] != suite) continue;
    const std::string& model = ruler.texts("model")[row];
    benchmark.scores.push_back({model, ruler.numbers("score")[row], lengthOf(ruler.numbers("length")[row]),
                                suite, "", ruler.texts("source")[row], matchOf(matches, suite, model)});
  }
}

Benchmark ruler() {
  Benchmark benchmark{"ruler", "RULER", "Scores by context length, from the benchmark's paper", {}, "", {}};
  benchmark.caveats = requiredReference("ruler").caveats;
  addRuler(benchmark, "ruler_paper");
  return benchmark;
}

Benchmark rulerBase() {
  Benchmark benchmark{"ruler_base",
                      "RULER, base models",
                      "The counter-example: base models of the SmolLM3 card by context length",
                      {},
                      "",
                      {}};
  benchmark.caveats = {
      "Here the order of AP_drop is reversed: llama3.2-3b has the largest drop and the best score.",
      "The two Qwen3 captures are of post-trained models, the scores of base models; four models in all."};
  addRuler(benchmark, "smollm3_card_base");
  return benchmark;
}

struct Shipped {
  const char* name;
  Benchmark (*make)();
};
// Adding a benchmark = its tables in resources/reference, a function and one line.
constexpr Shipped kShipped[] = {{"longbench_pro", longbenchPro}, {"ruler", ruler}, {"ruler_base", rulerBase}};

bool looksLikeFile(const std::string& name) {
  return name.ends_with(".csv") || name.find('/') != std::string::npos;
}

}  // namespace

std::vector<std::string> benchmarkNames() {
  std::vector<std::string> names;
  for (const Shipped& shipped : kShipped) names.emplace_back(shipped.name);
  return names;
}

Benchmark loadBenchmark(const std::string& nameOrFile) {
  for (const Shipped& shipped : kShipped) {
    if (nameOrFile == shipped.name) return shipped.make();
  }
  std::error_code code;
  if (looksLikeFile(nameOrFile) || std::filesystem::exists(nameOrFile, code))
    return readBenchmarkFile(nameOrFile);
  const std::vector<std::string> names = benchmarkNames();
  const std::string near = nearestName(nameOrFile, names);
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  throw UsageError(
      "there is no benchmark \"" + nameOrFile + "\"" +
      (near.empty() ? " (known: " + known + ", or a CSV file)" : "; did you mean " + near + "?"));
}

Table Benchmark::toTable() const {
  std::vector<std::string> model, suite, mode, source, match;
  std::vector<double> score, length;
  for (const BenchmarkScore& entry : scores) {
    model.push_back(entry.model);
    score.push_back(entry.score);
    length.push_back(entry.length ? static_cast<double>(*entry.length) : std::nan(""));
    suite.push_back(entry.suite);
    mode.push_back(entry.mode);
    source.push_back(entry.source);
    match.push_back(entry.match);
  }
  return {name,
          {{"model", model},
           {"score", score},
           {"length", length},
           {"suite", suite},
           {"mode", mode},
           {"source", source},
           {"match", match}}};
}

}  // namespace plastiscope
