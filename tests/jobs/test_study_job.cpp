// Opening captures and analyses: the analysis is kept beside the capture, or in the user's cache folder.
#include "core/jobs/study_job.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/study_finder.h"
#include "tests/support/capture_hash.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {
namespace fs = std::filesystem;

class StudyJob : public ::testing::Test {
 protected:
  StudyJob() {
    fs::create_directory(m_folder / "work");
    fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / "grouped.h5", m_capture);
    setenv("XDG_CACHE_HOME", (m_folder / "cache").c_str(), 1);
  }
  // The study, and how many analyses were computed for it.
  std::shared_ptr<const Study> open(const fs::path& file, const AnalysisSettings& settings = {}) {
    m_progress.settings.clear();
    return openStudy(file, settings, 2, m_progress);
  }

  test::TemporaryFolder m_folder;
  fs::path m_capture = m_folder / "work" / "licences 4k.h5";
  fs::path m_kept = m_folder / "work" / "licences 4k.analysis.h5";
  test::RecordedProgress m_progress;
};

TEST_F(StudyJob, AnalysesACaptureOnce) {
  const auto first = open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 1u);
  EXPECT_TRUE(fs::exists(m_kept));
  EXPECT_EQ(first->title, "random \u00b7 licences 4k");
  ASSERT_NE(first->capture, nullptr);
  const auto again = open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 0u);
  EXPECT_EQ(toCsv(*again->analysis->find("heads")), toCsv(*first->analysis->find("heads")));
  EXPECT_TRUE(m_progress.warnings.empty());
}

TEST_F(StudyJob, OtherSettingsAreAnotherAnalysis) {
  (void)open(m_capture);
  AnalysisSettings settings;
  settings.bins = "9";
  const auto other = open(m_capture, settings);
  EXPECT_EQ(m_progress.settings.size(), 1u);
  EXPECT_EQ(other->analysis->find("profile")->rows(), 8U * 9U);
  EXPECT_EQ(readAnalysis(m_kept).provenance.settings["bins"], "density") << "nothing is lost";
  (void)open(m_capture, settings);
  EXPECT_EQ(m_progress.settings.size(), 0u) << "kept in the cache folder";
  settings.bins = "7";
  (void)open(m_capture, settings);
  (void)open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 0u);
  EXPECT_TRUE(m_progress.warnings.empty());
}

// A user's analysis with 9 resamples has the name that the program would choose.
TEST_F(StudyJob, AnAnalysisWithOwnSettingsIsNotOverwritten) {
  AnalysisSettings settings;
  settings.bootstrap = 9;
  Progress quiet;
  writeAnalysis(analyzeCapture(*openCapture(m_capture), settings, 2, quiet), m_kept);
  const std::string bytes = readFile(m_kept);
  (void)open(m_capture);
  EXPECT_EQ(readFile(m_kept), bytes);
  (void)open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 0u);
}

TEST_F(StudyJob, DamagedOrForeignAnalysesAreComputedAnew) {
  (void)open(m_capture);
  std::string bytes = readFile(m_kept);
  bytes.resize(bytes.size() / 2);
  writeFileAtomically(m_kept, bytes);
  (void)open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 1u);
  (void)open(m_capture);  // the damaged file may be foreign, so it is kept and the cache folder used
  EXPECT_EQ(m_progress.settings.size(), 0u);
  EXPECT_EQ(readFile(m_kept), bytes);
  fs::remove_all(m_folder / "cache");
  // An analysis of another capture, renamed to this path.
  const fs::path other = m_folder / "work" / "other.h5";
  fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / "odd.h5", other);
  (void)open(other);
  fs::rename(m_folder / "work" / "other.analysis.h5", m_kept);
  const auto study = open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 1u);
  EXPECT_EQ(study->analysis->find("heads")->rows(), 8U);
}

// Another kind of file with that name is kept; the cache folder is used.
TEST_F(StudyJob, ForeignFilesAreNotOverwritten) {
  writeFileAtomically(m_kept, std::string_view("my notes"));
  (void)open(m_capture);
  EXPECT_EQ(readFile(m_kept), "my notes");
  (void)open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 0u);
}

TEST_F(StudyJob, UsesTheCacheFolderWhereThePlaceCannotBeWritten) {
  fs::create_directory(m_kept);  // nothing can be renamed over a folder
  (void)open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 1u);
  EXPECT_TRUE(m_progress.warnings.empty());
  EXPECT_FALSE(fs::is_empty(m_folder / "cache" / "plastiscope" / "analyses"));
  (void)open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 0u);
}

TEST_F(StudyJob, WritesNothingBesideFilesThatCameWithTheProgram) {
  writeFileAtomically(m_folder / "work" / "plastiscope-shipped.txt", std::string_view("shipped"));
  (void)open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 1u);
  EXPECT_FALSE(fs::exists(m_kept));
  (void)open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 0u) << "kept in the cache folder";
}

TEST_F(StudyJob, WarnsWhenTheAnalysisCannotBeKept) {
  fs::create_directory(m_kept);
  writeFileAtomically(m_folder / "cache", std::string_view("a file, not a folder"));
  const auto study = open(m_capture);
  EXPECT_NE(study->analysis, nullptr);
  ASSERT_EQ(m_progress.warnings.size(), 1U);
  EXPECT_NE(m_progress.warnings[0].find("could not be kept"), std::string::npos);
}

TEST_F(StudyJob, AnAnalysisFindsItsCapture) {
  (void)open(m_capture);
  const auto study = open(m_kept);
  EXPECT_EQ(m_progress.settings.size(), 0u);
  ASSERT_NE(study->capture, nullptr);
  EXPECT_EQ(study->title, "random \u00b7 licences 4k");
  // Both files moved to another folder are found next to each other.
  fs::rename(m_folder / "work", m_folder / "moved");
  EXPECT_NE(open(m_folder / "moved" / "licences 4k.analysis.h5")->capture, nullptr);
  // The capture is missing or replaced by another one.
  fs::remove(m_folder / "moved" / "licences 4k.h5");
  EXPECT_EQ(open(m_folder / "moved" / "licences 4k.analysis.h5")->capture, nullptr);
  fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / "odd.h5",
                m_folder / "moved" / "licences 4k.h5");
  EXPECT_EQ(open(m_folder / "moved" / "licences 4k.analysis.h5")->capture, nullptr);
}

TEST_F(StudyJob, RenamedFilesAreMatchedByTheirIds) {
  ASSERT_TRUE(test::giveSettingsHash(m_capture, "licences"));
  (void)open(m_capture);
  const fs::path capture = m_folder / "work" / "a.h5", analysis = m_folder / "work" / "b.h5";
  fs::rename(m_capture, capture);
  fs::rename(m_kept, analysis);
  fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / "odd.h5", m_capture);  // another capture
  writeFileAtomically(m_folder / "work" / "0.h5", std::string_view("not HDF5"));
  const auto study = open(analysis);
  ASSERT_NE(study->capture, nullptr);
  EXPECT_EQ(study->capture->path(), capture);
  EXPECT_EQ(studyIdOf(*study).ofCapture(), studyIdOf(capture));
  (void)open(capture);
  EXPECT_EQ(m_progress.settings.size(), 0u) << "the renamed analysis belongs to the capture";
  EXPECT_FALSE(fs::exists(m_folder / "work" / "a.analysis.h5"));
  // In different folders, `elsewhere` names the capture.
  fs::create_directory(m_folder / "other");
  fs::rename(capture, m_folder / "other" / "c.h5");
  EXPECT_EQ(open(analysis)->capture, nullptr);
  const std::vector<fs::path> elsewhere = {m_capture, m_folder / "other" / "c.h5"};
  EXPECT_NE(openStudy(analysis, {}, 1, m_progress, {.elsewhere = elsewhere})->capture, nullptr);
}

TEST_F(StudyJob, ACachedAnalysisIsFoundWhereverItsCaptureIsMoved) {
  ASSERT_TRUE(test::giveSettingsHash(m_capture, "licences"));
  writeFileAtomically(m_folder / "work" / "plastiscope-shipped.txt", std::string_view("shipped"));
  (void)open(m_capture);
  fs::rename(m_folder / "work", m_folder / "installed elsewhere");
  (void)open(m_folder / "installed elsewhere" / "licences 4k.h5");
  EXPECT_EQ(m_progress.settings.size(), 0u);
}

TEST_F(StudyJob, ASearchReadsALimitedNumberOfFiles) {
  EXPECT_FALSE(studyIdOf(m_capture).known()) << "zeros identify no capture";
  ASSERT_TRUE(test::giveSettingsHash(m_capture, "licences"));
  const StudyId id = studyIdOf(m_capture);
  const fs::path hidden = m_folder / "work" / "z.h5";
  fs::rename(m_capture, hidden);
  StudyFinder few(m_progress);
  EXPECT_EQ(few.find(id, m_capture, {m_folder / "work"}), hidden);
  EXPECT_EQ(few.find({}, m_capture, {m_folder / "work"}), std::nullopt) << "its id is unknown";
  for (std::size_t i = 0; i < StudyFinder::kMaxFiles; ++i)
    std::ofstream(m_folder / "work" / ("a" + std::to_string(i) + ".h5")) << "x";
  StudyFinder many(m_progress);
  EXPECT_EQ(many.find(id, m_capture, {m_folder / "work"}), std::nullopt);
  EXPECT_EQ(StudyFinder(m_progress).find(id, hidden, {m_folder / "work"}), hidden)
      << "found by its name without a search";
}

TEST_F(StudyJob, RefusesOtherFiles) {
  const fs::path text = m_folder / "text.h5";
  writeFileAtomically(text, std::string_view("not HDF5"));
  EXPECT_THROW((void)open(text), InputError);
  EXPECT_THROW((void)open(m_folder / "missing.h5"), InputError);
}

// Intervals are a separate analysis: the analysis beside the capture and command outputs stay unchanged.
TEST_F(StudyJob, IntervalsAreAddedOnceAndKeptApart) {
  const auto plain = open(m_capture);
  ASSERT_TRUE(lacksIntervals(*plain));
  EXPECT_EQ(withKeptIntervals(plain), plain);
  const std::string beside = readFile(m_kept);
  const auto complete = withIntervals(*plain, 2, m_progress);
  EXPECT_FALSE(lacksIntervals(*complete));
  EXPECT_TRUE(hasAddedIntervals(*complete));
  const Table &before = *plain->analysis->find("heads"), &after = *complete->analysis->find("heads");
  EXPECT_EQ(after.numbers("bias_strength"), before.numbers("bias_strength"));
  EXPECT_FALSE(std::isnan(after.numbers("bias_strength_low")[0]));
  EXPECT_EQ(complete->analysis->provenance.settings["interval"], "jackknife");
  EXPECT_EQ(complete->title, plain->title);
  EXPECT_EQ(readFile(m_kept), beside);

  const auto again = open(m_capture);
  EXPECT_EQ(m_progress.settings.size(), 0u);
  EXPECT_TRUE(lacksIntervals(*again));
  const auto kept = withKeptIntervals(again);
  EXPECT_EQ(toCsv(*kept->analysis->find("heads")), toCsv(after));
  AnalysisSettings other;
  other.bins = "9";
  const auto otherBins = open(m_capture, other);
  EXPECT_EQ(withKeptIntervals(otherBins), otherBins);
  EXPECT_TRUE(m_progress.warnings.empty());
}

TEST_F(StudyJob, IntervalsThatCannotBeReadAreComputedAgain) {
  const auto plain = open(m_capture);
  (void)withIntervals(*plain, 2, m_progress);
  fs::path place;
  for (const auto& entry : fs::recursive_directory_iterator(m_folder / "cache")) {
    if (entry.path().string().ends_with(".intervals.analysis.h5")) place = entry.path();
  }
  ASSERT_FALSE(place.empty());
  fs::resize_file(place, fs::file_size(place) / 2);
  EXPECT_EQ(withKeptIntervals(plain), plain);
  EXPECT_FALSE(lacksIntervals(*withIntervals(*plain, 2, m_progress)));
}

TEST_F(StudyJob, KeptIntervalsAreNotAddedToAnOpenedAnalysis) {
  (void)open(m_capture);
  const auto analysis = open(m_kept);
  EXPECT_NE(analysis->capture, nullptr);
  EXPECT_FALSE(lacksIntervals(*analysis));
  EXPECT_EQ(withKeptIntervals(analysis), analysis);
}

TEST_F(StudyJob, StoppedIntervalsAreNotKept) {
  struct StoppedAtOnce : Progress {
    bool stopRequested() const override { return true; }
  } stopping;
  const auto plain = open(m_capture);
  EXPECT_THROW((void)withIntervals(*plain, 2, stopping), Stopped);
  EXPECT_EQ(withKeptIntervals(plain), plain);
}

TEST_F(StudyJob, TitlesMarkCorrectedEstimates) {
  AnalysisSettings settings;
  settings.estimate = "jackknife";
  Progress quiet;
  const fs::path file = m_folder / "work" / "c.analysis.h5";
  writeAnalysis(analyzeCapture(*openCapture(m_capture), settings, 2, quiet), file);
  EXPECT_EQ(open(file)->title, "random \u00b7 c, bias-corrected");
}

}  // namespace
}  // namespace plastiscope
