#include "core/compare/benchmark.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "core/base/files.h"
#include "core/base/joined.h"
#include "core/base/path_text.h"
#include "core/compare/csv_text.h"
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

void addRuler(Benchmark& benchmark, const std::string& suite) {
  benchmark.ranges = "ruler";
  const Table ruler = referenceTable("ruler"), matches = referenceTable("benchmark_matches");
  std::map<std::string, std::string> matchOf;  // exact model of a suite's model
  for (std::size_t row = 0; row < matches.rows(); ++row) {
    if (matches.texts("suite")[row] == suite)
      matchOf.emplace(matches.texts("benchmark_model")[row], matches.texts("model")[row]);
  }
  for (std::size_t row = 0; row < ruler.rows(); ++row) {
    if (ruler.texts("suite")[row] != suite) continue;
    const std::string& model = ruler.texts("model")[row];
    benchmark.scores.push_back({model, ruler.numbers("score")[row], lengthOf(ruler.numbers("length")[row]),
                                suite, "", ruler.texts("source")[row], matchOf[model]});
  }
}

Benchmark ruler() {
  Benchmark benchmark{"ruler", "RULER", "Scores by context length, from the benchmark's paper", {}, "", {}};
  benchmark.caveats = requiredReference("ruler").caveats;
  addRuler(benchmark, "ruler_paper");
  return benchmark;
}

Benchmark rulerBase() {
  Benchmark benchmark{
      "ruler_base",
      "RULER, base models",
      "A counter-example: scores of base models by context length, from the model card of SmolLM3",
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
// To add a benchmark: tables in resources/reference, a function and an entry here.
constexpr Shipped kShipped[] = {{"longbench_pro", longbenchPro}, {"ruler", ruler}, {"ruler_base", rulerBase}};

bool looksLikeFile(const std::string& name) {
  return name.ends_with(".csv") || name.find('/') != std::string::npos;
}

constexpr std::size_t kMaxBenchmarkBytes = std::size_t{1} << 24;

class ScoreFile {
 public:
  explicit ScoreFile(const std::string& file)
      : m_csv(parseCsv(readFile(file, kMaxBenchmarkBytes), file)),
        m_model(required("model")),
        m_score(required("score")),
        m_length(m_csv.column("length")),
        m_suite(m_csv.column("suite")),
        m_mode(m_csv.column("mode")),
        m_benchmark(m_csv.column("benchmark")) {}

  BenchmarkScore score(std::size_t row) const {
    BenchmarkScore score{textAt(row, m_model),
                         numberCell(m_csv, row, *m_score),
                         lengthAt(row),
                         textAt(row, m_suite),
                         textAt(row, m_mode),
                         pathText(m_csv.file.filename()),
                         ""};
    if (score.model.empty()) fail(row, "model", "the name of a model", "nothing");
    if (const auto known = recogniseReferenceModel(score.model)) score.model = known->id;
    score.match = score.model;
    if (std::isnan(score.score)) fail(row, "score", "a number", "nothing");
    return score;
  }
  // The benchmark that the scores extend; "" = none.
  std::string benchmarkAt(std::size_t row) const { return textAt(row, m_benchmark); }
  std::size_t rows() const { return m_csv.rows.size(); }
  [[noreturn]] void fail(std::size_t row, const std::string& column, const std::string& expected,
                         const std::string& found) const {
    throw InputError(
        {m_csv.file, "line " + std::to_string(m_csv.lines.at(row)) + ", column " + column, expected, found});
  }

 private:
  using Place = std::optional<std::size_t>;

  Place required(const std::string& name) const {
    if (const Place place = m_csv.column(name)) return place;
    throw InputError({m_csv.file, "line 1", "the columns model and score", joined(m_csv.header)});
  }
  std::string textAt(std::size_t row, Place column) const {
    return column ? m_csv.rows[row][*column] : std::string();
  }
  std::optional<std::int64_t> lengthAt(std::size_t row) const {
    if (!m_length) return std::nullopt;
    const double length = numberCell(m_csv, row, *m_length);
    if (std::isnan(length)) return std::nullopt;
    if (length < 1 || length > 1e12 || length != std::floor(length))
      fail(row, "length", "a whole number of tokens", "\"" + textAt(row, m_length) + "\"");
    return static_cast<std::int64_t>(length);
  }

  CsvText m_csv;
  Place m_model, m_score, m_length, m_suite, m_mode, m_benchmark;
};

using ScoreKey = std::tuple<std::string, std::int64_t, std::string, std::string>;

ScoreKey scoreKey(const BenchmarkScore& score) {
  return {score.model, score.length.value_or(0), score.suite, score.mode};
}

// The benchmark that the file extends, without the file's scores; a new one if no row names any.
Benchmark startOf(const ScoreFile& scores, const std::string& file) {
  const std::string base = scores.benchmarkAt(0), own = pathText(std::filesystem::path(file).stem());
  const std::vector<std::string> known = benchmarkNames();
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    if (scores.benchmarkAt(row) != base)
      scores.fail(row, "benchmark", "\"" + base + "\" as in the first row",
                  "\"" + scores.benchmarkAt(row) + "\"");
  }
  const std::string content = "Scores of " + pathText(std::filesystem::path(file).filename());
  if (base.empty()) return {own, own, content, {}, "", {}};
  if (std::find(known.begin(), known.end(), base) == known.end())
    scores.fail(0, "benchmark", "the name of a benchmark that comes with the program, or nothing",
                "\"" + base + "\"");
  Benchmark benchmark = loadBenchmark(base);
  benchmark.name = own;
  benchmark.title += " and " + own;
  benchmark.content += "; s" + content.substr(1);
  return benchmark;
}

// A score without a suite belongs to the first suite that has scores of that length.
std::string suiteFor(const BenchmarkScore& score, const Benchmark& benchmark) {
  for (const BenchmarkScore& other : benchmark.scores) {
    if (other.length == score.length) return other.suite;
  }
  return {};
}

Benchmark readBenchmarkFile(const std::string& file) {
  const ScoreFile scores(file);
  if (scores.rows() == 0) throw InputError({file, "line 2", "at least one score", "none"});
  const Benchmark shipped = startOf(scores, file);
  Benchmark benchmark = shipped;
  std::set<ScoreKey> seen;
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    BenchmarkScore score = scores.score(row);
    if (score.suite.empty()) score.suite = suiteFor(score, shipped);
    if (!seen.insert(scoreKey(score)).second)
      scores.fail(row, "model", "one score per model, length, suite and mode",
                  "\"" + score.model + "\" again");
    std::erase_if(benchmark.scores,
                  [&](const BenchmarkScore& other) { return scoreKey(other) == scoreKey(score); });
    benchmark.scores.push_back(std::move(score));
  }
  return benchmark;
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
  throw UsageError("there is no benchmark \"" + nameOrFile + "\"" +
                   didYouMean(nameOrFile, names, " (known: " + joined(names) + ", or a CSV file)"));
}

Table Benchmark::toTable() const {
  TableBuilder table(name, {texts("model"), numbers("score"), numbers("length"), texts("suite"),
                            texts("mode"), texts("source"), texts("match")});
  for (const BenchmarkScore& entry : scores) {
    table.row({entry.model, entry.score, entry.length ? static_cast<double>(*entry.length) : kMissing,
               entry.suite, entry.mode, entry.source, entry.match});
  }
  return table.take();
}

}  // namespace plastiscope
