// The tab of runs: filter, groups, differences, rename, tags, trash, comparison, restored with the session;
// and the dialog of sweeps.
#include <gmock/gmock.h>

#include <QComboBox>
#include <QCompleter>
#include <QInputDialog>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QTreeWidget>

#include "app/desktop/sweep_dialog.h"
#include "core/base/files.h"
#include "core/sweep/sweep_file.h"
#include "gui/window_fixture.h"
#include "support/tiny_llama.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/runs_page.h"
#include "widgets/state/study_notes.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RunsWindow : public test::WindowFixture {
 protected:
  RunsWindow() {
    qputenv("XDG_DATA_HOME", (folder / "data").c_str());
    fs::create_directories(folder / "captures");
    for (const auto& [data, name] : {std::pair("small.h5", "captures/a.h5"),
                                     {"grouped.h5", "captures/a 2.h5"},
                                     {"mixed.h5", "captures/b.h5"}})
      provide(data, name);
    renew();
    settle();
    window->openRuns();
    settle();
  }
  RunsPage& page() { return *window->tabs().current<RunsPage>(); }
  template <typename Widget>
  Widget* find(const char* name) {
    return page().findChild<Widget*>(QString::fromLatin1(name));
  }
  // Texts of a column of all rows, except the shipped example's.
  std::vector<std::string> texts(const char* title) {
    std::vector<std::string> texts;
    auto* list = find<QTreeWidget>("runList");
    int column = 0;
    while (list->headerItem()->text(column) != QLatin1String(title)) ++column;
    for (QTreeWidgetItemIterator each(list); *each != nullptr; ++each) {
      if (!(*each)->text(0).contains(QLatin1String("licences")))
        texts.push_back((*each)->text(column).toStdString());
    }
    return texts;
  }
  void choose(const std::vector<std::string>& names) {
    auto* list = find<QTreeWidget>("runList");
    list->clearSelection();
    for (QTreeWidgetItemIterator each(list); *each != nullptr; ++each)
      if (std::ranges::count(names, (*each)->text(0).toStdString()) > 0) (*each)->setSelected(true);
  }
  void answer(const char* button, const QString& text) {
    find<QAction>(button)->trigger();
    auto* question = find<QInputDialog>("runQuestion");
    ASSERT_NE(question, nullptr);
    question->setTextValue(text);
    question->accept();
    settle();
  }
};

TEST_F(RunsWindow, FiltersSortsAndGroups) {
  EXPECT_THAT(texts("Name"), ElementsAre("a", "a 2", "b"));
  EXPECT_THAT(texts("Window"), ElementsAre("600", "4,096", "1,500"));
  auto* filter = find<QLineEdit>("runFilter");
  filter->setText(QStringLiteral("window > 1000"));
  EXPECT_THAT(texts("Name"), ElementsAre("a 2", "b"));
  filter->setText(QStringLiteral("windo > 1000"));
  EXPECT_THAT(find<QLabel>("runFilterProblem")->text().toStdString(), HasSubstr("did you mean window?"));
  EXPECT_TRUE(find<QLabel>("runFilterProblem")->isVisible());
  EXPECT_THAT(texts("Name"), ElementsAre("a 2", "b")) << "the previous rows stay";
  filter->clear();
  Q_EMIT filter->textEdited(QStringLiteral("rate > 2 && win"));
  EXPECT_EQ(page().findChild<QCompleter*>()->model()->index(0, 0).data().toString(),
            QStringLiteral("rate > 2 && window"));
  auto* group = find<QComboBox>("runGroup");
  group->setCurrentIndex(group->findData(QStringLiteral("window")));
  Q_EMIT group->activated(group->currentIndex());
  EXPECT_EQ(find<QTreeWidget>("runList")->topLevelItem(0)->text(0), QStringLiteral("Window: 600 (1)"));
}

TEST_F(RunsWindow, ShowsWhatTheSelectedRunsDifferIn) {
  choose({"a", "a 2"});
  const auto differences = texts("Differs in");
  EXPECT_THAT(differences[0], HasSubstr("window 600"));
  EXPECT_THAT(differences[1], HasSubstr("window 4k"));
  EXPECT_EQ(differences[2], "");
  choose({});
  EXPECT_THAT(texts("Differs in")[2], HasSubstr("window 1,500")) << "without a selection: of all";
  choose({"a", "a 2"});
  find<QAction>("runCompare")->trigger();
  settle();
  ASSERT_NE(window->currentCompare(), nullptr);
  EXPECT_EQ(window->currentCompare()->model().files(),
            (std::vector<fs::path>{folder / "captures/a.h5", folder / "captures/a 2.h5"}));
  EXPECT_THAT(window->currentCompare()->model().inputs()[1].name, HasSubstr("window 4k"))
      << "files that differ only in a number are named by their settings";
}

TEST_F(RunsWindow, RenamesAndTagsFilesWithTheirNotes) {
  choose({"a", "b"});
  EXPECT_FALSE(find<QAction>("runRename")->isEnabled());
  answer("runTags", QStringLiteral("good, 4k,"));
  EXPECT_THAT(texts("Tags"), ElementsAre("good, 4k", "", "good, 4k"));
  choose({"a"});
  answer("runRename", QStringLiteral("b"));
  EXPECT_THAT(message().text().toStdString(), HasSubstr("there is already a file of this name"));
  choose({"a"});
  answer("runRename", QStringLiteral("first"));
  EXPECT_THAT(texts("Name"), ElementsAre("a 2", "b", "first"));
  EXPECT_THAT(texts("Tags"), ElementsAre("", "good, 4k", "good, 4k"));
  EXPECT_TRUE(fs::exists(folder / "captures/first.notes.json"));
  // Notes that are open keep tags written meanwhile.
  NotesDocument open(folder / "captures/first.h5", {});
  writeTags({}, folder / "captures/first.h5", *session->state.index(), {}, {"other"});
  open.setStudyText("a note");
  open.save();
  EXPECT_THAT(NotesDocument(folder / "captures/first.h5", {}).notes().tags, ElementsAre("other"));
  window->openPaths({folder / "captures/first.h5"});
  settle();
  window->openRuns();
  choose({"first"});
  find<QAction>("runRename")->trigger();
  EXPECT_EQ(find<QInputDialog>("runQuestion"), nullptr);
  EXPECT_THAT(message().text().toStdString(), HasSubstr("first.h5 is open in a tab"));
}

TEST_F(RunsWindow, MovesFilesToTheTrashAfterAsking) {
  EXPECT_FALSE(find<QAction>("runTrash")->isEnabled()) << "nothing is selected";
  choose({"b"});
  answer("runTags", QStringLiteral("old"));
  choose({"b"});
  find<QAction>("runTrash")->trigger();
  auto* question = find<QMessageBox>("runTrashQuestion");
  ASSERT_NE(question, nullptr);
  EXPECT_THAT(question->informativeText().toStdString(), HasSubstr("b.notes.json"));
  question->button(QMessageBox::Cancel)->click();
  EXPECT_TRUE(fs::exists(folder / "captures/b.h5"));
  test::settleEvents();
  find<QAction>("runTrash")->trigger();
  for (QAbstractButton* button : find<QMessageBox>("runTrashQuestion")->buttons())
    if (button->text().contains(QLatin1String("Move"))) button->click();
  settle();
  EXPECT_THAT(texts("Name"), ElementsAre("a", "a 2"));
  EXPECT_FALSE(fs::exists(folder / "captures/b.h5"));
  EXPECT_FALSE(fs::exists(folder / "captures/b.notes.json"));
  int trashed = 0;
  for (const auto& each : fs::recursive_directory_iterator(folder.path()))
    trashed += each.path().filename() == "b.h5" ? 1 : 0;
  EXPECT_EQ(trashed, 1) << "it is in the trash";
}

TEST_F(RunsWindow, IsRestoredWithTheSession) {
  find<QLineEdit>("runFilter")->setText(QStringLiteral("window > 1000"));
  window->close();
  renew();
  window->sessions().start({}, {});
  settle();
  ASSERT_NE(window->tabs().current<RunsPage>(), nullptr);
  EXPECT_EQ(page().choices().filter, "window > 1000");
  EXPECT_THAT(texts("Name"), ElementsAre("a 2", "b"));
}

#if PLASTISCOPE_HAS_TORCH

TEST_F(RunsWindow, SweepsRunFromTheDialogAndContinue) {
  qputenv("PATH", QByteArray(PLASTISCOPE_BIN ":") + qgetenv("PATH"));
  test::TinyLlama model;
  constexpr std::int64_t kVocabulary = 600;  // at least that of the tokenizer
  model.config["vocab_size"] = kVocabulary;
  model.tensors["model.embed_tokens.weight"] = {kVocabulary, model.hidden};
  model.write(folder / "models" / "tiny");
  fs::copy(fs::path(PLASTISCOPE_TEST_DATA) / "text" / "default" / "tokenizer.json",
           folder / "models" / "tiny" / "tokenizer.json");
  std::string words;
  for (int i = 0; i < 300; ++i) words += "word" + std::to_string(i % 17) + " ";
  writeFileAtomically(folder / "one text.txt", std::string_view(words));
  SweepDialog dialog({}, folder / "captures");
  const auto addTo = [&](const char* name, const fs::path& path) {
    auto* item = new QListWidgetItem(QString::fromStdString(path.filename().string()),
                                     dialog.findChild<QListWidget*>(QString::fromLatin1(name)));
    item->setData(Qt::UserRole, QString::fromStdString(path.string()));
    item->setCheckState(Qt::Checked);
  };
  auto* start = dialog.findChild<QPushButton*>(QStringLiteral("sweepStart"));
  EXPECT_FALSE(start->isEnabled());
  addTo("sweepModels", folder / "models" / "tiny");
  addTo("sweepTexts", folder / "one text.txt");
  auto* option = dialog.findChild<QComboBox*>(QStringLiteral("sweepVary1"));
  option->setCurrentIndex(option->findText(QStringLiteral("window")));
  EXPECT_FALSE(start->isEnabled()) << "values are missing";
  dialog.findChild<QLineEdit*>(QStringLiteral("sweepValues1"))->setText(QStringLiteral("64; 96"));
  EXPECT_TRUE(start->isEnabled());
  auto* summary = dialog.findChild<QLabel*>(QStringLiteral("sweepSummary"));
  EXPECT_THAT(summary->text().toStdString(), HasSubstr("= 2 runs"));
  dialog.findChild<QPushButton*>(QStringLiteral("sweepEstimate"))->click();
  EXPECT_TRUE(
      waitFor([&] { return summary->text().startsWith(QLatin1String("2 runs (0 done before)")); }, 60000))
      << summary->text().toStdString();
  SweepStart sweep;
  QObject::connect(&dialog, &SweepDialog::startRequested, [&](const SweepStart& wanted) { sweep = wanted; });
  start->click();
  session->studyJobs.runSweep(sweep);
  ASSERT_TRUE(waitFor([&] { return fs::exists(sweep.out / "library.json"); }, 120000))
      << message().text().toStdString();
  const std::vector<SweepRun> runs = readSweep(sweep.file(), sweep.out);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].name, "tiny_one-text_window-64");
  EXPECT_TRUE(waitFor([&] { return texts("Name").size() == 5; })) << "listed with the captures";
  Q_EMIT page().sweeps().aboutToShow();
  ASSERT_EQ(page().sweeps().actions().size(), 2);
  EXPECT_EQ(page().sweeps().actions()[1]->text(), QStringLiteral("Continue sweep"));
  // Another sweep does not replace the file.
  session->studyJobs.runSweep({sweep.out, "other = 1\n"});
  EXPECT_TRUE(
      waitFor([&] { return message().text().contains(QLatin1String("there is already another sweep")); }));
}

#endif

}  // namespace
}  // namespace plastiscope
