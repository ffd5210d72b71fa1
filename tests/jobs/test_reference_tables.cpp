// The tables of small captures against an independent NumPy computation (tests/data/analysis), to 1e-9
// relative.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/jobs/analyze_job.h"

namespace plastiscope {
namespace {
namespace fs = std::filesystem;

const fs::path kData = fs::path(PLASTISCOPE_TEST_DATA) / "analysis";

struct Csv {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

Csv readCsv(const fs::path& file) {
  std::istringstream stream(readFile(file));
  Csv csv;
  for (std::string line; std::getline(stream, line);) {
    if (csv.names.empty()) {
      csv.names = split(line);
    } else {
      csv.rows.push_back(split(line));
    }
  }
  return csv;
}

bool sameCell(const std::string& expected, const std::string& found) {
  if (expected == found) return true;
  if (expected.empty() || found.empty()) return false;
  char* end = nullptr;
  const double x = std::strtod(expected.c_str(), &end);
  if (end == expected.c_str()) return false;
  const double y = std::strtod(found.c_str(), nullptr);
  return std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y)) + 1e-13;
}

// Rows of metrics in the reference if the table has one row per metric; otherwise all rows.
std::vector<std::size_t> comparedRows(const Csv& expected, const Table& found) {
  std::set<std::string> metrics;
  const auto column = std::ranges::find(expected.names, "metric");
  for (const auto& row : expected.rows)
    if (column != expected.names.end())
      metrics.insert(row[static_cast<std::size_t>(column - expected.names.begin())]);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < found.rows(); ++row)
    if (metrics.empty() || metrics.contains(found.texts("metric")[row])) rows.push_back(row);
  return rows;
}

void expectSameTable(const Csv& expected, const Table& found) {
  const std::vector<std::size_t> rows = comparedRows(expected, found);
  ASSERT_EQ(rows.size(), expected.rows.size());
  for (std::size_t c = 0; c < expected.names.size(); ++c) {
    const Column* column = found.find(expected.names[c]);
    ASSERT_NE(column, nullptr) << expected.names[c];
    const auto index = static_cast<std::size_t>(column - found.columns.data());
    for (std::size_t r = 0; r < expected.rows.size(); ++r) {
      const std::string cell = found.cellText(index, rows[r]);
      EXPECT_TRUE(sameCell(expected.rows[r][c], cell))
          << found.name << ", " << expected.names[c] << ", row " << r << ": expected " << expected.rows[r][c]
          << ", found " << cell;
    }
  }
}

AnalysisSettings settingsOfRun(const Json& given) {
  Json settings = AnalysisSettings().toJson();
  for (const auto& [key, value] : given.items()) settings[key] = value;
  for (const char* text : {"bins", "layers"}) {
    if (settings[text].is_number()) settings[text] = std::to_string(settings[text].get<int>());
  }
  return AnalysisSettings::fromJson(settings);
}

class ReferenceTables : public ::testing::TestWithParam<const char*> {};

TEST_P(ReferenceTables, EqualNumPy) {
  const fs::path folder = kData / GetParam();
  const Json run = readJsonFile(folder / "settings.json");
  const auto capture = openCapture(kData / run["capture"].get<std::string>());
  Progress progress;
  const AnalysisFile analysis = analyzeCapture(*capture, settingsOfRun(run["settings"]), 2, progress);
  int compared = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    const Table* table = analysis.find(entry.path().stem().string());
    ASSERT_NE(table, nullptr) << entry.path();
    expectSameTable(readCsv(entry.path()), *table);
    ++compared;
  }
  EXPECT_GE(compared, 2);
}

INSTANTIATE_TEST_SUITE_P(
    Analysis, ReferenceTables,
    ::testing::Values("grouped-all", "grouped-sampled", "grouped-author", "grouped-defaults", "odd-all",
                      "odd-mean", "odd-buckets", "single-all", "still-all", "still-zero", "mixed-full",
                      "mixed-empirical", "mixed-global", "mixed-cross", "mixed-crossfull", "mixed-buckets",
                      "mixed-bucketsall", "mixed-prefix", "mixed-prefixcross", "mixed-turned", "mixed-thin",
                      "mixed-parts", "mixed-partsstart", "logs-buckets", "logs-cells", "small-boot",
                      "small-bootall", "small-bootfull", "small-bootempirical", "small-bootcross",
                      "small-bootcells", "small-bootprefix", "small-jack", "small-jackgroups",
                      "small-jackcross", "small-rows", "turning-all", "turning-sampled", "turning-rows",
                      "aligned-partial-all", "aligned-partial-groups", "aligned-yarn-sampled",
                      "aligned-yarn-gaussian", "aligned-neighbours-all", "aligned-lengths-gaussian",
                      "aligned-example"),
    [](const auto& run) {
      std::string name = run.param;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace plastiscope
