// Files of every version open and have unchanged contents (tests/data/versions).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/json.h"
#include "core/jobs/head_metrics.h"
#include "core/jobs/study_job.h"
#include "core/store/schema.h"
#include "core/store/verify.h"
#include "core/views/map_data.h"
#include "core/views/metric_info.h"
#include "core/views/plane_data.h"
#include "core/views/profile_data.h"
#include "tests/support/failure.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/version_files.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;

class Versions : public ::testing::TestWithParam<std::string> {
 protected:
  Versions() { test::unpackVersion(GetParam(), m_folder.path()); }
  fs::path file(const char* name) const { return m_folder / name; }
  Json expected() const { return readJsonFile(file("expected.json")); }

 private:
  test::TemporaryFolder m_folder;
};

RowSet rowSetOf(const std::string& name) {
  const auto found = std::ranges::find(schema::kRowSets, name);
  EXPECT_NE(found, schema::kRowSets.end()) << name;
  return static_cast<RowSet>(found - schema::kRowSets.begin());
}

TEST_P(Versions, AreIntact) {
  for (const char* name : {"capture.h5", "analysis.h5"}) {
    const VerifyReport report = verifyFile(file(name));
    EXPECT_TRUE(report.problems.empty()) << name << ": " << report.problems.front();
  }
}

TEST_P(Versions, CapturesHoldTheirRows) {
  const Json wanted = expected()["capture"];
  const auto capture = openCapture(file("capture.h5"));
  const CaptureInfo& info = capture->info();
  EXPECT_EQ(wanted["model"], info.modelName);
  EXPECT_EQ(info.window, wanted["window"]);
  ASSERT_EQ(info.examples.size(), wanted["tokens"].size());
  for (std::size_t i = 0; i < info.examples.size(); ++i)
    EXPECT_EQ(info.examples[i].tokens, wanted["tokens"][i]);
  std::size_t vectors = 0;
  for (const auto& [layer, sets] : wanted["layers"].items()) {
    for (const auto& [kind, rows] : sets.items()) {
      const RowSet set = rowSetOf(kind);
      for (const auto& [head, numbers] : rows["vectors"].items()) {
        const CapturedRows read = capture->rows({std::stoll(layer), std::stoll(head), set});
        EXPECT_EQ(Json(read.position), rows["position"]);
        EXPECT_EQ(Json(read.example), rows["example"]);
        ASSERT_EQ(Json({read.position.size(), read.headDim}), numbers["shape"]);
        const double sum = std::accumulate(read.vectors.begin(), read.vectors.end(), 0.0);
        EXPECT_NEAR(sum, numbers["sum"].get<double>(), 1e-9 * static_cast<double>(read.vectors.size()));
        EXPECT_EQ(static_cast<double>(read.vectors.back()), numbers["last"].get<double>());
        ++vectors;
      }
    }
  }
  EXPECT_GE(vectors, 8u);
  for (const auto& [name, text] : wanted["texts"].items()) {
    const auto example = std::ranges::find(info.examples, name, &CaptureExampleInfo::id);
    ASSERT_NE(example, info.examples.end()) << name;
    std::string read;
    for (const std::string& token : capture->tokenTexts(example - info.examples.begin())) read += token;
    EXPECT_GT(read.size(), 100u);
    EXPECT_TRUE(text.get<std::string>().starts_with(read)) << read;
  }
  double nll = 0;
  for (std::int64_t i = 0; i < std::ssize(info.examples); ++i) {
    for (const float loss : capture->losses(i).nll) nll += std::isnan(loss) ? 0 : static_cast<double>(loss);
  }
  EXPECT_NEAR(nll, wanted["nll"].get<double>(), 1e-6);
}

TEST_P(Versions, CapturesLackHeadScores) {
  const auto capture = openCapture(file("capture.h5"));
  EXPECT_FALSE(capture->hasScores());
  EXPECT_TRUE(capture->probeTokens().empty());
  const AnalysisFile analysis = readAnalysis(file("analysis.h5"));
  EXPECT_THAT(test::failureOf([&] { requiredMetric(*analysis.find("heads"), "probe_induction_score"); }),
              ::testing::HasSubstr("no head scores such as \"probe_induction_score\": recordings and "
                                   "captures of version 1.0 have none"));
}

TEST_P(Versions, AnalysesHoldTheirTables) {
  const Json wanted = expected()["analysis"];
  const AnalysisFile analysis = readAnalysis(file("analysis.h5"));
  EXPECT_EQ(wanted["settings_hash"], analysis.provenance.settingsHash);
  EXPECT_EQ(settingsOf(analysis).interval, "jackknife");
  EXPECT_EQ(importedColumns(analysis.provenance), std::vector<std::string>{"imported_qk_distance"});
  for (const auto& [name, columns] : wanted["tables"].items()) {
    const Table* table = analysis.find(name);
    ASSERT_NE(table, nullptr) << name;
    for (const auto& [column, values] : columns.items()) {
      ASSERT_NE(table->find(column), nullptr) << name << "." << column;
      const auto at = [&](std::size_t row) -> Json {
        const double number = numberAt(*table, column, row);
        if (std::holds_alternative<std::vector<std::string>>(table->find(column)->values))
          return textAt(*table, column, row);
        return std::isnan(number) ? Json() : Json(number);
      };
      if (values.is_array()) {
        ASSERT_EQ(table->rows(), values.size()) << name;
        for (std::size_t row = 0; row < values.size(); ++row)
          EXPECT_EQ(at(row), values[row]) << name << "." << column << " row " << row;
      } else {
        ASSERT_EQ(table->rows(), values["rows"]) << name;
        if (table->rows() == 0) continue;
        EXPECT_EQ(at(0), values["first"][0]) << name << "." << column;
        EXPECT_EQ(at(table->rows() - 1), values["last"][0]) << name << "." << column;
      }
    }
  }
}

TEST_P(Versions, StudiesShowTheirViews) {
  test::RecordedProgress progress;
  const auto study = openStudy(file("analysis.h5"), AnalysisSettings(), 1, progress);
  ASSERT_NE(study->capture, nullptr) << "the capture beside the analysis";
  const HeadName head{16, 4};
  const PlaneData plane = makeAbPlane(*study, head);
  EXPECT_TRUE(plane.missing.empty()) << plane.missing;
  EXPECT_GT(plane.query.size(), 20u);
  EXPECT_EQ(whyNoMap(makeMap(*study->analysis, {head, {}})), "");
  EXPECT_EQ(whyNoProfile(*makeProfileField(*study->analysis)), "");
}

INSTANTIATE_TEST_SUITE_P(All, Versions, ::testing::ValuesIn(test::versions()), [](const auto& version) {
  std::string name = "of_" + version.param;
  std::ranges::replace(name, '.', '_');
  return name;
});

}  // namespace
}  // namespace plastiscope
