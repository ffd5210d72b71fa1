// Files of earlier versions (tests/data/versions): a figure is drawn again with the same numbers, a session
// lists its tabs, and notes are found.
#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <algorithm>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/jobs/study_job.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/version_files.h"
#include "widgets/export/figure_files.h"
#include "widgets/export/figure_kinds.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/state/session_state.h"
#include "widgets/state/study_notes.h"

namespace plastiscope {

namespace {

class OldFiles : public testing::TestWithParam<std::string> {
 protected:
  OldFiles() { test::unpackVersion(GetParam(), file("")); }
  std::filesystem::path file(const char* name) const {
    return std::filesystem::path(m_folder.path().toStdString()) / name;
  }

 private:
  QTemporaryDir m_folder;
};

}  // namespace

TEST_P(OldFiles, FiguresAreDrawnAgainWithTheSameNumbers) {
  const FigureSpec spec = FigureSpec::fromJson(readProvenance(file("figure.json")).at("figure"));
  test::RecordedProgress progress;
  const Studies studies = {openStudy(file("analysis.h5"), AnalysisSettings(), 1, progress)};
  exportFigure(studies, prepareFigure(studies, spec), spec, file("again.svg"), {});
  EXPECT_EQ(readFile(file("again.csv")), readFile(file("figure.csv")));
}

TEST_P(OldFiles, SessionsListTheirTabs) {
  const SessionState state = SessionStore::readNamed(file("session.json"));
  ASSERT_EQ(state.tabs.size(), 2U);
  EXPECT_TRUE(state.unknownTabs.empty());
  EXPECT_EQ(state.tabs[0].file, "/studies/capture.h5");
  EXPECT_EQ(state.tabs[1].file, "/studies/analysis.h5");
  for (const SessionTab& tab : state.tabs) EXPECT_EQ(tab.selection.head, (HeadName{16, 4}));
  EXPECT_EQ(state.ids.size(), 2U);
}

TEST_P(OldFiles, NotesAreFound) {
  const std::filesystem::path kept = file("capture.notes.json");
  if (!std::filesystem::exists(kept)) GTEST_SKIP() << "0.1.0 stored no notes here";
  const StudyId capture = studyIdOf(file("capture.h5"));
  ASSERT_TRUE(capture.known());
  EXPECT_EQ(captureOfNotes(kept), capture.ofCapture());
  const NotesDocument notes(file("analysis.h5"), {}, {capture, kept, false});
  EXPECT_EQ(notes.problem(), "");
  EXPECT_EQ(notes.of({16, 4}), "A head of the harbour.");
  EXPECT_EQ(notes.notes().starred, (std::set<HeadName>{{16, 4}}));
}

INSTANTIATE_TEST_SUITE_P(Versions, OldFiles, testing::ValuesIn(test::versions()), [](const auto& version) {
  std::string name = "of_" + version.param;
  std::ranges::replace(name, '.', '_');
  return name;
});

}  // namespace plastiscope
