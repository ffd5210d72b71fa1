// Missing files: their tabs stay and offer to locate them; moved files are found by their settings hash.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QLabel>
#include <QPlainTextEdit>
#include <fstream>

#include "app/desktop/session_resolver.h"
#include "gui/window_fixture.h"
#include "support/capture_hash.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/model_page.h"
#include "widgets/state/study_notes.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;
using test::waitFor;

class LocateTest : public test::WindowFixture {
 protected:
  LocateTest() {
    fs::create_directories(folder / "work");
    fs::create_directories(folder / "away");
    first = provideKnown("grouped.h5", "work/first.h5");
    second = provideKnown("mixed.h5", "work/second.h5");
  }
  fs::path provideKnown(const char* capture, const std::string& name) {
    const fs::path file = provide(capture, name);
    EXPECT_TRUE(test::giveSettingsHash(file, capture));
    return file;
  }
  // Opens both files, the first at L1H2, and closes the window.
  void openBoth() {
    renew();
    window->openPaths({first});
    EXPECT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
    window->currentPage()->selection().setHead({1, 2});
    window->openPaths({second});
    EXPECT_TRUE(waitFor([this] { return window->settled() && tabs().count() == 3; }));
    settle();
    window->close();
  }
  void start() {
    renew();
    window->sessions().start({}, {});
    settle();
  }
  // Moves a file out of the folders that are searched.
  fs::path hide(const fs::path& file, const char* name) {
    fs::rename(file, folder / "away" / name);
    return folder / "away" / name;
  }
  void hideWork() { fs::rename(folder / "work", folder / "gone"); }
  MissingPage* missing(int tab) { return qobject_cast<MissingPage*>(tabs().widget(tab)); }
  ModelPage* page(int tab) { return qobject_cast<ModelPage*>(tabs().widget(tab)); }
  static QString textOf(const QWidget& page, const char* name) {
    return page.findChild<QLabel*>(QLatin1String(name))->text();
  }
  static void press(QWidget& page, const char* name) {
    page.findChild<QAbstractButton*>(QLatin1String(name))->click();
  }

  fs::path first, second;
};

TEST_F(LocateTest, TheTabOfAMissingFileStaysAndOffersToLocateIt) {
  openBoth();
  hideWork();
  start();
  ASSERT_EQ(tabs().count(), 3);
  ASSERT_NE(missing(1), nullptr);
  ASSERT_NE(missing(2), nullptr);
  EXPECT_EQ(tabs().tabText(1), QStringLiteral("first"));
  EXPECT_TRUE(textOf(*missing(1), "missingTitle").contains(QStringLiteral("first.h5")));
  EXPECT_TRUE(
      textOf(*missing(1), "missingPlace").contains(QString::fromStdString((folder / "work").string())));
  EXPECT_TRUE(textOf(*missing(1), "missingReason").contains(QStringLiteral("folder")));
  EXPECT_TRUE(message().text().contains(QStringLiteral("2 files"))) << message().text().toStdString();
  // The tab is kept for the next start.
  window->close();
  EXPECT_EQ(session->state.sessions().read().tabs.size(), 2U);
  start();
  ASSERT_NE(missing(1), nullptr);

  // A located file keeps its tab and head; the second file is found beside it under another name.
  fs::rename(folder / "gone" / "second.h5", folder / "gone" / "renamed.h5");
  window->files().locate(*missing(1), folder / "gone" / "first.h5");
  ASSERT_TRUE(waitFor([this] { return page(1) && page(2) && window->settled(); }));
  EXPECT_EQ(page(1)->file(), folder / "gone" / "first.h5");
  EXPECT_EQ(page(1)->selection().value().head, (HeadName{1, 2}));
  EXPECT_EQ(page(2)->file(), folder / "gone" / "renamed.h5");
  EXPECT_EQ(tabs().count(), 3);
}

TEST_F(LocateTest, AnotherCaptureIsRefusedButCanStillBeOpened) {
  openBoth();
  hideWork();
  start();
  const fs::path other = provideKnown("odd.h5", "away/other.h5");
  window->files().locate(*missing(1), other);
  settle();
  ASSERT_NE(missing(1), nullptr);
  const QString sentence = textOf(*missing(1), "missingRefusal");
  EXPECT_TRUE(sentence.contains(QStringLiteral("other.h5"))) << sentence.toStdString();
  EXPECT_EQ(sentence.count(QLatin1Char('.')), 2) << "of the name and at the end: " << sentence.toStdString();
  press(*missing(1), "missingOpen");
  ASSERT_TRUE(waitFor([this] { return page(1) && window->settled(); }));
  EXPECT_EQ(page(1)->file(), other);
}

TEST_F(LocateTest, TryAgainAndCloseTabWork) {
  openBoth();
  hideWork();
  start();
  press(*missing(1), "missingRetry");
  settle();
  ASSERT_NE(missing(1), nullptr) << "still not there";
  fs::rename(folder / "gone", folder / "work");
  press(*missing(1), "missingRetry");
  ASSERT_TRUE(waitFor([this] { return page(1) && window->settled(); }));
  EXPECT_EQ(page(1)->selection().value().head, (HeadName{1, 2}));
  press(*missing(2), "missingClose");
  EXPECT_EQ(tabs().count(), 2);
}

TEST_F(LocateTest, ADamagedFileKeepsItsTabWithTheReason) {
  openBoth();
  fs::resize_file(first, fs::file_size(first) / 2);
  start();
  ASSERT_EQ(tabs().count(), 3);
  ASSERT_NE(missing(1), nullptr);
  EXPECT_TRUE(textOf(*missing(1), "missingTitle").contains(QStringLiteral("cannot be opened")));
  EXPECT_TRUE(textOf(*missing(1), "missingReason").contains(QStringLiteral("first.h5")));
  press(*missing(1), "missingRetry");
  settle();
  ASSERT_NE(missing(1), nullptr) << "a restored tab stays open";
  window->close();
  EXPECT_EQ(session->state.sessions().read().tabs[0].selection.head, (HeadName{1, 2}));
}

TEST_F(LocateTest, RenamedAndMovedFilesAreFoundByTheirHash) {
  openBoth();
  fs::rename(first, folder / "work" / "renamed.h5");
  provideKnown("odd.h5", "work/first.h5");  // a different capture under the old name
  fs::create_directories(session->state.captureFolder());
  fs::rename(second, session->state.captureFolder() / "second.h5");
  start();
  ASSERT_NE(page(1), nullptr);
  EXPECT_EQ(page(1)->file(), folder / "work" / "renamed.h5");
  EXPECT_EQ(page(1)->selection().value().head, (HeadName{1, 2}));
  ASSERT_NE(page(2), nullptr);
  EXPECT_EQ(page(2)->file(), session->state.captureFolder() / "second.h5");
}

// Captures by other programs may all have a hash of zeros.
TEST_F(LocateTest, AFileWithoutAHashIsNotReplacedByAnother) {
  fs::remove(first);
  first = provide("grouped.h5", "work/first.h5");
  openBoth();
  fs::remove(first);
  provide("odd.h5", "work/another.h5");
  start();
  EXPECT_NE(missing(1), nullptr);
}

TEST_F(LocateTest, LocatingAFileWithoutAHashAsksFirst) {
  openBoth();
  hideWork();
  start();
  window->files().locate(*missing(1), provide("odd.h5", "away/foreign.h5"));
  settle();
  ASSERT_NE(missing(1), nullptr);
  EXPECT_TRUE(textOf(*missing(1), "missingRefusal").contains(QStringLiteral("has no hash")));
}

TEST_F(LocateTest, ASavedSessionIsFoundWithItsFilesBelowAnotherFolder) {
  openBoth();
  start();
  window->sessions().saveAs(folder / "work" / "thesis.json");
  window->close();
  fs::create_directories(folder / "elsewhere");
  fs::rename(folder / "work", folder / "elsewhere" / "paper");
  renew();
  window->sessions().start({folder / "elsewhere" / "paper" / "thesis.json"}, {});
  settle();
  ASSERT_EQ(tabs().count(), 3);
  ASSERT_NE(page(1), nullptr);
  EXPECT_EQ(page(1)->file(), folder / "elsewhere" / "paper" / "first.h5");
}

TEST_F(LocateTest, TheAnalysisOfAMissingCaptureStaysAndOpensAlone) {
  openBoth();
  hide(first, "first.h5");
  start();
  const fs::path analysis = folder / "work" / "first.analysis.h5";
  ASSERT_TRUE(waitFor([&] { return session->library.model().entryOf(analysis) != nullptr; }))
      << "in the library";
  ASSERT_NE(missing(1), nullptr);
  press(*missing(1), "missingAnalysis");
  ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  ModelPage* alone = window->currentPage();
  ASSERT_EQ(alone->file(), analysis);
  EXPECT_EQ(alone->study().capture, nullptr);
  EXPECT_EQ(message().findChild<QAbstractButton*>(QStringLiteral("messageAction"))->text(),
            QStringLiteral("Locate …"));
  window->files().locateCapture(*alone, second);
  settle();
  EXPECT_TRUE(message().text().contains(QStringLiteral("second.h5 was not accepted as the capture")))
      << message().text().toStdString();
  window->files().locateCapture(*alone, folder / "away" / "first.h5");
  ASSERT_TRUE(waitFor(
      [&] { return window->currentPage() && window->currentPage()->study().capture && window->settled(); }));
  EXPECT_EQ(window->currentPage()->file(), analysis);
  // The location is remembered.
  window->close();
  start();
  const int again = tabs().count() - 1;
  ASSERT_NE(page(again), nullptr);
  EXPECT_NE(page(again)->study().capture, nullptr);
}

TEST_F(LocateTest, NotesFollowACaptureThatIsRenamedOrMoved) {
  renew();
  const auto open = [this](const fs::path& file) {
    window->openPaths({file});
    EXPECT_TRUE(waitFor(
        [&] { return window->currentPage() && window->currentPage()->file() == file && window->settled(); }));
    settle();
    return window->currentPage();
  };
  ModelPage* before = open(first);
  before->notes().setHeadText({1, 2}, "recency head");
  before->selection().toggleMark({0, 1});
  renew();
  const fs::path renamed = folder / "work" / "renamed.h5";
  fs::rename(first, renamed);
  EXPECT_EQ(open(renamed)->notes().of({1, 2}), "recency head");
  EXPECT_TRUE(window->currentPage()->selection().value().marked.contains({0, 1}));
  renew();
  EXPECT_EQ(notesFileOf(renamed).filename(), "renamed.notes.json");
  EXPECT_TRUE(fs::exists(notesFileOf(renamed))) << "notes are renamed with the capture";

  // Moves the capture to another folder without its notes.
  const fs::path moved = folder / "away" / "moved.h5";
  fs::rename(renamed, moved);
  EXPECT_EQ(open(moved)->notes().of({1, 2}), "recency head");
  renew();

  // Another capture under this name neither shows nor overwrites the notes.
  fs::remove(moved);
  fs::copy_file(second, moved);
  const std::string kept = captureOfNotes(notesFileOf(moved)).capture;
  ModelPage* other = open(moved);
  EXPECT_TRUE(other->notes().notes().empty());
  EXPECT_TRUE(message().text().contains(QStringLiteral("moved.notes.json")))
      << message().text().toStdString();
  other->notes().setStudyText("of the other");
  renew();
  EXPECT_EQ(captureOfNotes(notesFileOf(moved)).capture, kept);
  EXPECT_EQ(open(moved)->notes().notes().study, "of the other");
}

TEST_F(LocateTest, NotesOfAShippedCaptureAreFoundWhereverItIsInstalled) {
  std::ofstream(folder / "work" / "plastiscope-shipped.txt") << "shipped";
  renew();
  window->openPaths({first});
  ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  window->currentPage()->notes().setStudyText("the example");
  renew();
  EXPECT_FALSE(fs::exists(notesFileOf(first)));
  fs::rename(folder / "work", folder / "installed elsewhere");
  window->openPaths({folder / "installed elsewhere" / "first.h5"});
  ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  EXPECT_EQ(window->currentPage()->notes().notes().study, "the example");
}

}  // namespace
}  // namespace plastiscope
