// A tab computed from some rows of its capture: a banner tells so, and one click restores all rows.
#include <QCheckBox>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include "core/base/json.h"
#include "core/jobs/analyze_job.h"
#include "gui/page_fixture.h"
#include "gui/window_fixture.h"
#include "widgets/analysis/rows_dialog.h"
#include "widgets/pages/message_bar.h"

namespace plastiscope {
namespace {

using test::waitFor;

class RowsChoice : public test::PageTest {
 protected:
  void choose(const RowChoice& choice) {
    page->selection().setRowChoice(choice);
    settle();
  }
  RowsBanner* banner() { return page->findChild<RowsBanner*>(); }
  QString said() { return find<QLabel>("rowsText")->text(); }

  std::shared_ptr<const Study> study = openExample({16, 4});
};

TEST_F(RowsChoice, EverythingIsComputedFromTheChosenRows) {
  EXPECT_FALSE(banner()->isVisible());
  const std::size_t before = page->model().views()->plane->query.size();
  choose({"0-2", "0..1023", ""});
  EXPECT_TRUE(banner()->isVisible());
  EXPECT_TRUE(said().contains(QStringLiteral("texts 0-2 · positions 0..1023"))) << said().toStdString();
  const PlaneRows& queries = page->model().views()->plane->query;
  EXPECT_LT(queries.size(), before / 4);
  EXPECT_GT(queries.size(), 10u);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    EXPECT_LE(queries.example[i], 2);
    EXPECT_LE(queries.position[i], 1023);
  }
  AnalysisSettings settings = AnalysisSettings::fromJson(study->analysis->provenance.settings);
  useRowChoice(settings, {"0-2", "0..1023", ""});
  Progress quiet;
  const AnalysisFile expected = analyzeCapture(*study->capture, settings, 1, quiet);
  EXPECT_EQ(toCsv(*page->study().analysis->find("heads")), toCsv(*expected.find("heads")));
}

TEST_F(RowsChoice, OneTextIsNamed) {
  choose({"3", "", ""});
  const std::string name = study->capture->info().examples[3].id;
  EXPECT_TRUE(said().contains(QStringLiteral("texts %1").arg(QString::fromStdString(name))))
      << said().toStdString();
}

TEST_F(RowsChoice, OneClickShowsAllRowsAndUndoReturns) {
  page->selection().setRows({0, 1}, {});
  choose({"1", "", ""});
  EXPECT_EQ(page->selection().value().rows, nullptr) << "other rows have other numbers";
  find<QPushButton>("rowsShowAll")->click();
  settle();
  EXPECT_FALSE(banner()->isVisible());
  EXPECT_EQ(page->model().study(), study);
  page->selection().undo();
  settle();
  EXPECT_TRUE(banner()->isVisible());
  EXPECT_NE(page->model().study(), study);
}

TEST_F(RowsChoice, TheSessionKeepsTheChoice) {
  choose({"1", "10..900", "number,word_start"});
  const ViewSelection kept = ViewSelection::fromJson(page->selection().value().toJson());
  EXPECT_EQ(kept.rowChoice, page->selection().value().rowChoice);
  ModelPage restored({study, page->file(), kept}, PageServices{workers, ranges});
  restored.resize(1500, 900);
  restored.show();
  EXPECT_TRUE(waitFor([&] { return restored.model().settled() && restored.model().study() != study; }));
  EXPECT_EQ(rowChoiceOf(settingsOf(*restored.study().analysis)), kept.rowChoice);
}

TEST_F(RowsChoice, AnInvalidChoiceIsReportedAndShowsAllRows) {
  choose({"77", "", ""});
  EXPECT_TRUE(banner()->isVisible());
  EXPECT_TRUE(said().contains(QStringLiteral("expected names"))) << said().toStdString();
  EXPECT_EQ(page->model().study(), study);
}

class RowsDialogTest : public test::WindowFixture {
 protected:
  RowsDialogTest() {
    renew();
    window->openExample();
    EXPECT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
    dialog = dialogOf<RowsDialog>("actionRows");
  }
  template <typename Widget>
  Widget& find(const char* name) {
    return *dialog->findChild<Widget*>(QString::fromLatin1(name));
  }

  RowsDialog* dialog = nullptr;
};

TEST_F(RowsDialogTest, ChoosesTextsPositionsAndTypes) {
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(dialog->choice().all());
  auto& texts = find<QListWidget>("rowsTexts");
  auto& show = find<QPushButton>("rowsStart");
  find<QPushButton>("rowsNoText").click();
  EXPECT_FALSE(show.isEnabled());
  for (const int text : {1, 2, 5}) texts.item(text)->setCheckState(Qt::Checked);
  find<QSpinBox>("rowsTo").setValue(2047);
  find<QCheckBox>("rowsType-punctuation").setChecked(false);
  EXPECT_TRUE(show.isEnabled());
  EXPECT_EQ(dialog->choice(),
            (RowChoice{"1-2,5", "0..2047", "word_start,continuation,number,space,other_script"}));
  const QString command = find<QPlainTextEdit>("commandLine").toPlainText();
  for (const char* option : {"--examples 1-2,5", "--positions 0..2047", "--token-types word_start,"})
    EXPECT_TRUE(command.contains(QLatin1String(option))) << command.toStdString();
  find<QSpinBox>("rowsFrom").setValue(3000);
  EXPECT_FALSE(show.isEnabled());
  find<QSpinBox>("rowsFrom").setValue(0);
  const RowChoice wanted = dialog->choice();
  show.click();
  settle();
  ASSERT_TRUE(waitFor([this] { return window->currentPage()->model().settled(); }));
  EXPECT_EQ(window->currentPage()->selection().value().rowChoice, wanted);

  // The reopened dialog shows the choice and can reset it.
  dialog = dialogOf<RowsDialog>("actionRows");
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->choice(), wanted);
  find<QPushButton>("rowsAll").click();
  EXPECT_TRUE(dialog->choice().all());
}

}  // namespace
}  // namespace plastiscope
