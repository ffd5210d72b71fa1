#pragma once
// The synthetic analyses of tests/data/compare, as if they had been read from files.
#include <memory>
#include <string>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/compare/comparison.h"
#include "core/compare/csv_text.h"

namespace plastiscope::test {

inline std::filesystem::path compareData(const std::string& name) {
  return std::filesystem::path(PLASTISCOPE_TEST_DATA) / "compare" / name;
}

// A CSV file as a table; these columns are whole numbers.
inline Table readTable(const std::string& file, const std::string& name) {
  Table table = tableOf(parseCsv(readFile(compareData(file)), file), name);
  for (Column& column : table.columns) {
    for (const char* whole : {"layer", "head", "bin", "queries", "pairs_used"}) {
      if (column.name != whole) continue;
      const auto numbers = std::get<std::vector<double>>(column.values);
      column.values = std::vector<std::int64_t>(numbers.begin(), numbers.end());
    }
  }
  return table;
}

// `letter`: a, b or c.
inline ComparisonInput inputOf(const std::string& letter) {
  const std::int64_t window = letter == "c" ? 16384 : 4096;
  auto analysis = std::make_shared<AnalysisFile>();
  analysis->provenance.capture = Json{{"model", letter},  {"architecture", "llama"}, {"layers", 12},
                                      {"query_heads", 3}, {"key_heads", 1},          {"head_dim", 8},
                                      {"window", window}, {"bucket_size", 256},      {"sampler", "uniform"}};
  analysis->provenance.settings = Json::object();
  analysis->tables = {readTable("heads_" + letter + ".csv", "heads"),
                      readTable("profile_" + letter + ".csv", "profile"),
                      {"map_model",
                       {{"distance_cell", std::vector<std::int64_t>{0, 1}},
                        {"midpoint_cell", std::vector<std::int64_t>{0, letter == "a" ? 1 : 0}},
                        {"pairs", std::vector<std::int64_t>{40, 50}},
                        {"pp", std::vector<double>{letter == "a" ? 0.25 : 0.75, 0.5}}}}};
  return {"", letter + ".analysis.h5", analysis};
}

inline Comparison compareLetters(const std::string& letters, const ComparisonOptions& options = {}) {
  std::vector<ComparisonInput> inputs;
  for (const char letter : letters) inputs.push_back(inputOf(std::string(1, letter)));
  return makeComparison(inputs, options);
}

// The row of a table where the text columns have these values.
inline std::size_t rowWhere(const Table& table,
                            const std::vector<std::pair<std::string, std::string>>& where) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    bool holds = true;
    for (const auto& [name, value] : where) {
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        holds = holds && (table.columns[c].name != name || table.cellText(c, row) == value);
    }
    if (holds) return row;
  }
  throw std::runtime_error("no such row in " + table.name);
}

}  // namespace plastiscope::test
