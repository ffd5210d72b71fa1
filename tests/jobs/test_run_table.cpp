// The table of runs: captures of a tiny model with known settings, their files, and in which settings they
// differ.
#include "core/jobs/run_table.h"

#include <gmock/gmock.h>

#include "core/base/error.h"
#include "core/base/state_document.h"
#include "core/jobs/analyze_job.h"
#include "core/store/analysis_file.h"
#include "core/views/head_filter.h"
#include "tests/jobs/tiny_capture.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RunTable : public test::TinyCapture {
 protected:
  // Three captures of one model, the first with its analysis.
  void capture() {
    test::TinyLlama().write(m_folder / "model");
    test::writeTokenFile(m_folder / "tokens.jsonl", 3, 256);
    fs::create_directories(m_folder / "library");
    CaptureRequest plain = request("library/plain.h5"), half = request("library/half.h5"),
                   changed = request("library/changed 10.h5");
    plain.plan.loss = true;
    plain.plan.paired = true;
    half.plan.window = 128;
    changed.plan.ablate = "L0H1";
    changed.plan.ropeOverride = Json{{"rope_type", "default"}, {"rope_theta", 500.0}};
    for (const CaptureRequest& each : {plain, half, changed}) runCapture(each, m_quiet);
    AnalysisSettings settings;
    settings.bins = "6";
    writeAnalysis(analyzeCapture(*openCapture(plain.out), settings, 1, m_quiet),
                  m_folder / "library/plain.analysis.h5");
    settings.pairs = 64;
    writeAnalysis(analyzeCapture(*openCapture(half.out), settings, 1, m_quiet),
                  m_folder / "library/other.analysis.h5");
  }
  std::vector<plastiscope::Run> find() { return m_finder.find({{m_folder / "library"}, {}}, m_quiet); }
  // Names of the runs in order.
  std::vector<std::string> names(const std::string& filter, const std::string& sort = "",
                                 bool descending = false) {
    const Table table = runTable(find());
    std::vector<std::string> names;
    for (const std::size_t row : arrangedRows(table, filter, sort, descending))
      names.push_back(table.texts("name")[row]);
    return names;
  }

  Progress m_quiet;
  RunFinder m_finder;
};

TEST_F(RunTable, HasTheSettingsOfCapturesAndAnalyses) {
  capture();
  const Table table = runTable(find());
  EXPECT_THAT(table.texts("name"), ElementsAre("changed 10", "half", "other", "plain"));
  EXPECT_THAT(table.texts("kind"), ElementsAre("capture", "capture", "analysis", "analysed"));
  EXPECT_THAT(table.numbers("window"), ElementsAre(256, 128, 128, 256));
  EXPECT_THAT(table.numbers("n_texts"), ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(table.numbers("rate"), ElementsAre(20, 20, 20, 20));
  EXPECT_THAT(table.numbers("heads"), ElementsAre(8, 8, 8, 8));
  EXPECT_THAT(table.texts("ablate"), ElementsAre("L0H1", "", "", ""));
  EXPECT_THAT(table.texts("rope"), ElementsAre("plain RoPE, base 500", "", "", ""));
  EXPECT_THAT(table.texts("bins"), ElementsAre("", "", "6", "6"));
  EXPECT_THAT(table.texts("dtype"), ElementsAre("float32", "float32", "float32", "float32"))
      << "the analysis takes it from its capture";
  EXPECT_THAT(table.texts("group"), ElementsAre("library", "library", "library", "library"));
  EXPECT_THAT(table.texts("other"), ElementsAre("", "", "pairs 64", "paired on"));
  // The mean over the stored losses.
  const auto plain = openCapture(m_folder / "library/plain.h5");
  double sum = 0;
  for (int text = 0; text < 3; ++text) {
    const std::vector<float> nll = plain->losses(text).nll;
    for (std::size_t t = 1; t < nll.size(); ++t) sum += nll[t];
  }
  EXPECT_NEAR(table.numbers("loss")[3], sum / (3 * 255), 1e-9);
}

TEST_F(RunTable, NamesTheSettingsThatDiffer) {
  capture();
  const std::vector<plastiscope::Run> runs = find();
  EXPECT_THAT(runDifferences(runs, {0, 3}),
              ElementsAre("RoPE base 500, without L0H1", "RoPE base 10,000, bins 6, paired on"));
  EXPECT_THAT(runDifferences(runs, {0, 1}),
              ElementsAre("window 256, RoPE base 500, without L0H1", "window 128, RoPE base 10,000"));
  EXPECT_THAT(runDifferences(runs, {1, 2}), ElementsAre("bins density, pairs 256", "bins 6, pairs 64"));
  EXPECT_THAT(runDifferences(runs, {0, 1, 3}),
              ElementsAre("RoPE base 500, without L0H1", "window 128", "bins 6, paired on"))
      << "what most share is left out";
  EXPECT_THAT(runDifferences(runs, {1}), ElementsAre("")) << "nothing to compare with";
}

TEST_F(RunTable, IsFilteredAndSorted) {
  capture();
  EXPECT_THAT(names("window < 200 || ablate == \"l0h1\"", "name"),
              ElementsAre("changed 10", "half", "other"));
  EXPECT_THAT(names("analys", "window", true), ElementsAre("plain", "other"));
  EXPECT_THAT(names("", "loss"), ElementsAre("plain", "changed 10", "half", "other"))
      << "missing values last";
  EXPECT_THROW(names("windo > 3"), FilterError);
  EXPECT_THROW(names("", "windo"), UsageError);
}

TEST_F(RunTable, ReadsChangedFilesAgainAndWarnsOfDamagedOnes) {
  capture();
  find();
  fs::remove(m_folder / "library/half.h5");
  fs::remove(m_folder / "library/plain.analysis.h5");
  writeFileAtomically(m_folder / "library/text.h5", std::string_view("no capture"));
  test::RecordedProgress progress;
  const Table table = runTable(m_finder.find({{m_folder / "library"}, {}}, progress));
  EXPECT_THAT(table.texts("name"), ElementsAre("changed 10", "other", "plain"));
  EXPECT_THAT(table.texts("kind"), ElementsAre("capture", "analysis", "capture"));
  EXPECT_THAT(table.texts("dtype")[1], "") << "its capture is gone";
  EXPECT_THAT(progress.warnings, ElementsAre(HasSubstr("text.h5")));
  EXPECT_THROW(m_finder.find({{m_folder / "none"}, {}}, m_quiet), InputError);
}

TEST_F(RunTable, RenamesTheFileWithItsCompanionsOrNothing) {
  capture();
  const auto plain = [&] { return find().back(); };
  const Json notes{
      {"study", "a note"}, {"tags", {"good", "4k"}}, {"capture", plain().id.ofCapture().toJson()}};
  writeFileAtomically(m_folder / "library/plain.notes.json", stateDocument("plastiscope-notes", 1, notes));
  writeFileAtomically(m_folder / "library/half.notes.json", stateDocument("plastiscope-notes", 1, notes));
  EXPECT_THAT(plain().tags, ElementsAre("good", "4k"));
  EXPECT_THAT(find()[1].tags, ElementsAre()) << "notes of another capture";
  EXPECT_THAT(filesOfRun(find()[1]), ElementsAre(m_folder / "library/half.h5"));
  EXPECT_THROW(renameRun(plain(), "half"), InputError) << "half.h5 exists";
  for (const char* name : {"", "a/b", "../x", ".hidden"})
    EXPECT_THROW(renameRun(plain(), name), InputError) << name;
  writeFileAtomically(m_folder / "library/zz.notes.json", std::string_view("kept"));
  EXPECT_THROW(renameRun(plain(), "zz"), InputError) << "one of the new names exists: nothing is renamed";
  EXPECT_THAT(filesOfRun(plain()),
              ElementsAre(m_folder / "library/plain.h5", m_folder / "library/plain.analysis.h5",
                          m_folder / "library/plain.notes.json"));
  EXPECT_EQ(renameRun(plain(), "zzz.2"), m_folder / "library/zzz.2.h5");
  EXPECT_THAT(runTable(find()).texts("name"), ElementsAre("changed 10", "half", "other", "zzz.2"));
  EXPECT_THAT(plain().tags, ElementsAre("good", "4k"));
  EXPECT_TRUE(plain().ownAnalysis);
}

}  // namespace
}  // namespace plastiscope
