#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"
#include "core/store/table_folder.h"
#include "core/store/verify.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

AnalysisFile sample() {
  AnalysisFile analysis;
  AnalysisProvenance& p = analysis.provenance;
  p.programVersion = "0.0.1";
  p.created = "2026-01-31T12:00:00Z";
  p.captureFile = "a.h5";
  p.captureFingerprint = "f";
  p.captureSettingsHash = "h";
  p.settings = Json{{"pairs", 256}};
  p.settingsHash = sha256Hex(canonicalJson(p.settings));
  p.capture = Json{{"window", 8}};
  p.warnings = {"one \"odd\" head"};
  analysis.tables.push_back({"heads",
                             {{"layer", std::vector<std::int64_t>{0, 1}},
                              {"r_q", std::vector<double>{0.1, std::numeric_limits<double>::quiet_NaN()}},
                              {"taxonomy", std::vector<std::string>{"mixed", ""}}}});
  analysis.tables.push_back(
      {"empty", {{"layer", std::vector<std::int64_t>{}}, {"text", std::vector<std::string>{}}}});
  return analysis;
}

TEST(AnalysisFile, RoundTrip) {
  TemporaryFolder folder;
  writeAnalysis(sample(), folder / "a.h5");
  EXPECT_EQ(fileTypeOf(folder / "a.h5"), FileType::Analysis);
  const AnalysisFile back = readAnalysis(folder / "a.h5");
  EXPECT_EQ(back.provenance.toJson(), sample().provenance.toJson());
  ASSERT_NE(back.find("heads"), nullptr);
  const Table& heads = *back.find("heads");
  EXPECT_EQ(heads.columns[0].name, "layer");  // order kept
  EXPECT_EQ(heads.columns[2].name, "taxonomy");
  EXPECT_THAT(heads.integers("layer"), ElementsAre(0, 1));
  EXPECT_EQ(heads.numbers("r_q")[0], 0.1);
  EXPECT_TRUE(std::isnan(heads.numbers("r_q")[1]));
  EXPECT_THAT(heads.texts("taxonomy"), ElementsAre("mixed", ""));
  ASSERT_NE(back.find("empty"), nullptr);
  EXPECT_EQ(back.find("empty")->rows(), 0u);
  const VerifyReport report = verifyFile(folder / "a.h5");
  EXPECT_THAT(report.problems, ElementsAre());
  EXPECT_EQ(report.kind, FileType::Analysis);
}

// A table of 800,000 rows: 18 MB.
AnalysisFile large() {
  constexpr std::size_t kRows = 800'000;
  AnalysisFile analysis = sample();
  std::vector<double> values(kRows, 0.25);
  values[kRows / 2] = 1234.5678;
  analysis.tables.push_back({"axes",
                             {{"value", values},
                              {"twice", std::vector<std::int64_t>(kRows, 2)},
                              {"axis", std::vector<std::string>(kRows, "pc0")},
                              {"unit", std::vector<std::string>(kRows, "none")}}});
  return analysis;
}

TEST(AnalysisFile, ATextWithAZeroByteIsRefused) {
  TemporaryFolder folder;
  AnalysisFile analysis = sample();
  std::get<std::vector<std::string>>(analysis.tables[0].columns[2].values)[0] = std::string("mi\0xed", 6);
  EXPECT_THAT(test::failureOf([&] { writeAnalysis(analysis, folder / "a.h5"); }), HasSubstr("zero byte"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(AnalysisFile, LargeTablesAreReadOnDemand) {
  TemporaryFolder folder;
  writeAnalysis(large(), folder / "a.h5");
  const StoredFile stored(folder / "a.h5");
  const auto opened = stored.analysis();
  ASSERT_NE(opened->unread, nullptr);
  EXPECT_EQ(findTable(opened->tables, "axes"), nullptr);
  EXPECT_THAT(opened->rowsOfTables(), ElementsAre(Pair("axes", 800'000), Pair("empty", 0), Pair("heads", 2)));
  const Table* axes = opened->find("axes");
  ASSERT_NE(axes, nullptr);
  EXPECT_EQ(opened->find("axes"), axes);
  EXPECT_EQ(axes->numbers("value")[400'000], 1234.5678);
  EXPECT_EQ(axes->texts("axis").back(), "pc0");
  const AnalysisFile whole = readAnalysis(folder / "a.h5");
  EXPECT_EQ(whole.unread, nullptr);
  EXPECT_EQ(toCsv(*findTable(whole.tables, "axes")), toCsv(*axes));
  EXPECT_EQ(whole.tables.front().name, "axes");
}

TEST(AnalysisFile, DamageInALargeTableIsFoundOnDemand) {
  TemporaryFolder folder;
  writeAnalysis(large(), folder / "a.h5");
  std::string bytes = readFile(folder / "a.h5");
  const double mark = 1234.5678;
  const std::size_t place = bytes.find(std::string(reinterpret_cast<const char*>(&mark), sizeof mark));
  ASSERT_NE(place, std::string::npos);
  bytes[place] = static_cast<char>(bytes[place] ^ 1);
  writeFileAtomically(folder / "a.h5", bytes);
  const StoredFile stored(folder / "a.h5");
  const auto opened = stored.analysis();
  EXPECT_EQ(opened->find("heads")->rows(), 2U);
  EXPECT_THROW((void)opened->find("axes"), InputError);
  EXPECT_THROW((void)readAnalysis(folder / "a.h5"), InputError);
  EXPECT_EQ(readAnalysis(folder / "a.h5", DamagedTables::LeaveOut).leftOut.count("axes"), 1U);
  EXPECT_FALSE(verifyFile(folder / "a.h5").problems.empty());
}

TEST(AnalysisFile, WritesCsvAndProvenance) {
  TemporaryFolder folder;
  exportCsv(sample(), folder / "tables");
  EXPECT_EQ(readFile(folder / "tables/heads.csv"), "layer,r_q,taxonomy\n0,0.1,mixed\n1,,\n");
  EXPECT_EQ(readFile(folder / "tables/empty.csv"), "layer,text\n");
  Json provenance = readJsonFile(folder / "tables/provenance.json");
  EXPECT_EQ(provenance["table_set"]["command"], "analyze");
  provenance.erase("table_set");
  EXPECT_EQ(provenance, sample().provenance.toJson());
}

TEST(AnalysisFile, ACaptureIsNotAnAnalysis) {
  TemporaryFolder folder;
  writeFileAtomically(folder / "t.txt", std::string_view("hello"));
  EXPECT_EQ(fileTypeOf(folder / "t.txt"), FileType::Other);
  EXPECT_EQ(fileTypeOf(folder.path()), FileType::Other);
  EXPECT_THROW(readAnalysis(folder / "t.txt"), InputError);
  EXPECT_THROW(readAnalysis(folder / "none.h5"), InputError);
  EXPECT_THROW(fileTypeOf(folder / "none.h5"), InputError);
}

}  // namespace
}  // namespace plastiscope
