// Notes and stars: edited, saved beside the capture and read back; damaged files are reported.
#include <gtest/gtest.h>

#include <QListWidget>
#include <QPlainTextEdit>
#include <QTableView>
#include <fstream>

#include "core/base/json.h"
#include "gui/window_fixture.h"
#include "widgets/models/head_table_model.h"
#include "widgets/pages/model_page.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/state/study_notes.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;
using test::waitFor;

class NotesTest : public test::WindowFixture {
 protected:
  NotesTest() : capture(provide("grouped.h5", "study.h5")) { renew(); }
  ModelPage* open() {
    window->openPaths({capture});
    EXPECT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
    settle();
    return window->currentPage();
  }
  template <typename Widget>
  Widget* find(const char* name) {
    return window->findChild<Widget*>(QLatin1String(name));
  }
  fs::path capture;
};

TEST_F(NotesTest, AreWrittenPerHeadAndFoundAgain) {
  ModelPage* page = open();
  const HeadName first = *page->selection().value().head;
  find<QPlainTextEdit>("headNote")->setPlainText(QStringLiteral("recency head\nsee figure 3"));
  find<QPlainTextEdit>("studyNote")->setPlainText(QStringLiteral("two texts only"));
  page->selection().toggleMark(first);
  const HeadName second = page->model().neighbour(1);
  page->selection().setHead(second);
  EXPECT_EQ(find<QPlainTextEdit>("headNote")->toPlainText(), QString());
  ASSERT_EQ(find<QListWidget>("notesList")->count(), 1);
  EXPECT_TRUE(find<QListWidget>("notesList")->item(0)->text().endsWith(QStringLiteral("recency head")));
  Q_EMIT find<QListWidget>("notesList")->itemActivated(find<QListWidget>("notesList")->item(0));
  EXPECT_EQ(page->selection().value().head, first);

  renew();  // closed and started again
  ASSERT_TRUE(fs::exists(folder / "study.notes.json"));
  page = open();
  EXPECT_EQ(page->notes().of(first), "recency head\nsee figure 3");
  EXPECT_EQ(page->notes().notes().study, "two texts only");
  EXPECT_TRUE(page->selection().value().marked.contains(first));
}

TEST_F(NotesTest, AreMarkedInTableAndGrid) {
  ModelPage* page = open();
  const HeadName head = *page->selection().value().head;
  const auto* table = find<QTableView>("headTable");
  const QModelIndex place = table->currentIndex().siblingAtColumn(HeadTableModel::NameColumn);
  EXPECT_TRUE(place.data(Qt::DecorationRole).isNull());
  const QImage plain = find<HeadGridView>("headGrid")->grab().toImage();
  find<QPlainTextEdit>("headNote")->setPlainText(QStringLiteral("recency head"));
  settle();
  EXPECT_FALSE(place.data(Qt::DecorationRole).isNull());
  EXPECT_EQ(place.data(Qt::ToolTipRole).toString(), QStringLiteral("recency head"));
  EXPECT_NE(find<HeadGridView>("headGrid")->grab().toImage(), plain);
  find<QPlainTextEdit>("headNote")->clear();
  settle();
  EXPECT_TRUE(place.data(Qt::DecorationRole).isNull());
  EXPECT_EQ(find<HeadGridView>("headGrid")->grab().toImage(), plain);
  EXPECT_FALSE(page->notes().notes().heads.contains(head));
}

TEST_F(NotesTest, DamagedNotesAreReportedAndSetAside) {
  std::ofstream(folder / "study.notes.json") << "{ not json";
  open();
  EXPECT_TRUE(message().text().contains(QStringLiteral("study.notes.json")))
      << message().text().toStdString();
  find<QPlainTextEdit>("studyNote")->setPlainText(QStringLiteral("new"));
  renew();
  EXPECT_EQ(open()->notes().notes().study, "new");
}

TEST(StudyNotes, AreSavedBesideTheFileOrInTheSettings) {
  EXPECT_EQ(notesFileOf("/data/a.h5"), fs::path("/data/a.notes.json"));
  EXPECT_EQ(notesFileOf("/data/a.analysis.h5"), fs::path("/data/a.notes.json"));
  const test::TemporaryFolder folder;
  std::ofstream(folder / "file") << "not a folder";
  const fs::path study = folder / "file" / "a.h5";
  {
    NotesDocument notes(study, folder / "settings");
    notes.setHeadText({1, 2}, "here");
  }
  EXPECT_EQ(NotesDocument(study, folder / "settings").of({1, 2}), "here");
  EXPECT_TRUE(NotesDocument(study, {}).notes().empty());
}

TEST(StudyNotes, NotesOfShippedFilesAreSavedInTheSettings) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "example");
  std::ofstream(folder / "example" / "plastiscope-shipped.txt") << "shipped";
  const fs::path study = folder / "example" / "a.h5";
  {
    NotesDocument notes(study, folder / "settings");
    notes.setStarred({{1, 2}});
  }
  EXPECT_FALSE(fs::exists(notesFileOf(study)));
  EXPECT_EQ(NotesDocument(study, folder / "settings").notes().starred, std::set<HeadName>({{1, 2}}));
}

TEST(StudyNotes, UnknownEntriesAreSkipped) {
  StudyNotes notes;
  notes.heads[{3, 4}] = "x";
  notes.starred = {{0, 1}};
  EXPECT_EQ(StudyNotes::fromJson(notes.toJson()), notes);
  EXPECT_EQ(StudyNotes::fromJson(
                {{"heads", {{"nonsense", "x"}, {"L3H4", "x"}, {"L5H5", 7}}}, {"starred", {"L0H1", 3, "L?"}}}),
            notes);
}

}  // namespace
}  // namespace plastiscope
