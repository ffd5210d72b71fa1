#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <atomic>

#include "core/base/files.h"
#include "core/base/json.h"
#include "figures/figure_study.h"
#include "widgets/export/export_dialog.h"
#include "widgets/export/export_form.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/preview_pane.h"
#include "widgets/jobs/job_runner.h"

namespace plastiscope {

namespace {

FigureSpec mapSpec() {
  FigureSpec spec;
  spec.figure = "map";
  spec.scope.head = HeadName{4, 2};
  spec.metric = "ap_drop";  // shown in the tab; the map does not take it
  return spec;
}

}  // namespace

TEST(ExportForm, KeepsOnlyOptionsThatTheFigureTakes) {
  ExportForm form({test::figureStudy()}, mapSpec());
  EXPECT_EQ(form.spec().figure, "map");
  EXPECT_EQ(form.spec().scope.head, (HeadName{4, 2}));
  EXPECT_EQ(form.spec().metric, FigureSpec().metric);
  EXPECT_TRUE(form.files().file().endsWith("map-L4H2.pdf")) << form.files().file().toStdString();
  EXPECT_EQ(form.files().filesToWrite(), (QStringList{"map-L4H2.pdf", "map-L4H2.csv", "map-L4H2.json"}));
  FigureSpec grid = mapSpec();
  grid.figure = "head-grid";
  ExportForm gridForm({test::figureStudy()}, grid);
  EXPECT_FALSE(gridForm.spec().scope.head.has_value());
  EXPECT_EQ(gridForm.spec().metric, "ap_drop");
  EXPECT_NO_THROW(prepareFigure({test::figureStudy()}, gridForm.spec()));
}

TEST(ExportForm, ShowsTextFieldsOnlyForFiguresOfTexts) {
  const auto asks = [](const char* figure, const char* field) {
    FigureSpec spec = mapSpec();
    spec.figure = figure;
    const ExportForm form({test::figureStudy()}, spec);
    return form.findChild<QWidget*>(QLatin1String(field))->isVisibleTo(&form);
  };
  for (const char* field : {"figureText", "figureQuery", "figureFirstToken", "figureTokenColour"}) {
    EXPECT_TRUE(asks("text", field)) << field;
    EXPECT_TRUE(asks("page", field)) << field;
    EXPECT_FALSE(asks("map", field)) << field;
  }
  EXPECT_TRUE(asks("keys", "figureQuery"));
  EXPECT_FALSE(asks("keys", "figureTokens"));
}

TEST(ExportForm, StartsWithTheGivenTextOptions) {
  FigureSpec spec = mapSpec();
  spec.figure = "text";
  spec.firstToken = 40;
  spec.tokens = 25;
  spec.tokenColour = TokenMeasure::Norm;
  ExportForm form({test::figureStudy()}, spec);
  EXPECT_EQ(form.spec().firstToken, 40);
  EXPECT_EQ(form.spec().tokens, 25);
  EXPECT_EQ(form.spec().query, std::nullopt);
  EXPECT_EQ(form.spec().tokenColour, TokenMeasure::Norm);
  auto* first = form.findChild<QSpinBox*>(QStringLiteral("figureFirstToken"));
  first->setValue(first->minimum());
  EXPECT_EQ(form.spec().firstToken, std::nullopt) << "the minimum means the default";
  EXPECT_EQ(first->text(), QStringLiteral("default"));
}

TEST(ExportForm, RemembersVenueAndType) {
  ExportForm first({test::figureStudy()}, mapSpec());
  Json memory = first.memory();
  memory["preset"] = "acl";
  memory["labels"] = 8.5;
  memory["unit"] = "mm";
  ExportForm second({test::figureStudy()}, mapSpec());
  second.recall(memory);
  EXPECT_EQ(second.spec().preset, "acl");
  EXPECT_DOUBLE_EQ(second.spec().fontPoints, 8.5);
  EXPECT_TRUE(second.millimetres());
  EXPECT_NEAR(resolveSize(second.spec()).widthInches, 3.03, 1e-9) << "the unit does not change the size";
  second.recall(Json::array({1, 2}));
  second.recall({{"preset", 7}, {"labels", "x"}});
  EXPECT_EQ(second.spec().preset, "acl");
}

TEST(ExportForm, OffersNoScattersWithoutRows) {
  auto study = std::make_shared<Study>(*test::figureStudy());
  study->capture = nullptr;
  for (const FigureKind* kind : figuresFor({study})) EXPECT_FALSE(kind->needsRows) << kind->id;
}

TEST(ExportDialog, ExportsTheFigureAndReportsItsFiles) {
  QTemporaryDir folder;
  Workers workers;
  ExportDialog dialog({{test::figureStudy()}, {"/data/my capture.h5"}, mapSpec()}, workers);
  dialog.show();
  auto* form = dialog.findChild<ExportForm*>();
  QLineEdit *folderField = nullptr, *command = nullptr;
  for (QLineEdit* edit : dialog.findChildren<QLineEdit*>()) {
    if (edit->isReadOnly())
      command = edit;
    else if (edit->text().contains('/'))
      folderField = edit;
  }
  ASSERT_NE(folderField, nullptr);
  ASSERT_NE(command, nullptr);
  folderField->setText(folder.path());
  EXPECT_TRUE(
      command->text().startsWith("plastiscope render '/data/my capture.h5' --figure map --head L4H2 "))
      << command->text().toStdString();
  EXPECT_TRUE(command->text().contains(folder.path() + "/map-L4H2.pdf"));
  QCheckBox* numbers = nullptr;
  for (QCheckBox* box : dialog.findChildren<QCheckBox*>()) {
    if (box->text().contains("CSV")) numbers = box;
  }
  ASSERT_NE(numbers, nullptr);
  numbers->setChecked(false);
  EXPECT_TRUE(command->text().contains(" --no-data ")) << command->text().toStdString();
  numbers->setChecked(true);
  EXPECT_FALSE(command->text().contains("--no-")) << command->text().toStdString();
  QPushButton* write = nullptr;
  for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
    if (button->isDefault()) write = button;
  }
  ASSERT_NE(write, nullptr);
  ASSERT_TRUE(QTest::qWaitFor([&] { return write->isEnabled(); }, 20000));
  QSignalSpy exported(&dialog, &ExportDialog::exported);
  write->click();
  ASSERT_EQ(exported.count(), 1);
  const QStringList files = exported.first().first().toStringList();
  EXPECT_EQ(files.size(), 3);
  for (const QString& file : files) EXPECT_TRUE(QFile::exists(file)) << file.toStdString();
  EXPECT_EQ(form->files().filesToWrite().size(), 3);
}

// Seventy files would clutter an existing folder.
TEST(ExportDialog, ExportsAllFiguresIntoANewFolder) {
  QTemporaryDir folder;
  auto study = std::make_shared<Study>(*test::figureStudy());
  study->file = "/data/my capture.h5";
  study->capture = nullptr;  // figures of rows take long
  Workers workers;
  ExportDialog dialog({{study}, {"/data/my capture.h5"}, mapSpec()}, workers);
  dialog.show();
  for (QLineEdit* edit : dialog.findChildren<QLineEdit*>()) {
    if (!edit->isReadOnly() && edit->text().contains('/')) edit->setText(folder.path());
  }
  auto* all = dialog.findChild<QRadioButton*>(QStringLiteral("exportAll"));
  auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("exportName"));
  ASSERT_NE(all, nullptr);
  ASSERT_NE(name, nullptr);
  all->setChecked(true);
  EXPECT_EQ(name->text(), QStringLiteral("my capture-figures"));
  auto* write = dialog.findChild<QPushButton*>(QStringLiteral("exportButton"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return write->isEnabled(); }, 20000));
  QSignalSpy exported(&dialog, &ExportDialog::exported);
  write->click();
  ASSERT_TRUE(QTest::qWaitFor([&] { return exported.count() == 1; }, 120000));
  const QStringList files = exported.first().first().toStringList();
  EXPECT_GT(files.size(), 10);
  for (const QString& file : files)
    EXPECT_EQ(QFileInfo(file).path(), folder.filePath(QStringLiteral("my capture-figures")));
  EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files).size(), 0);
}

// Closing the dialog does not wait for background work.
TEST(ExportDialog, ClosesWhileItsFigureIsComputed) {
  Workers workers;
  QThreadPool& pool = workers.pool(WorkLength::Quick);
  std::atomic<bool> mayEnd = false;
  for (int i = 0; i < pool.maxThreadCount(); ++i) {
    pool.start([&mayEnd] {
      while (!mayEnd) QThread::msleep(1);
    });
  }
  {
    ExportDialog dialog({{test::figureStudy()}, {"/data/my capture.h5"}, mapSpec()}, workers);
    dialog.show();
  }
  EXPECT_EQ(pool.activeThreadCount(), pool.maxThreadCount()) << "no task has finished yet";
  mayEnd = true;
  workers.waitForDone();
  QCoreApplication::processEvents();
}

// The dialog names the existing file and writes nothing.
TEST(ExportDialog, KeepsFilesThatItDidNotWrite) {
  QTemporaryDir folder;
  writeFileAtomically(folder.filePath("map-L4H2.csv").toStdString(), std::string_view("my numbers"));
  Workers workers;
  ExportDialog dialog({{test::figureStudy()}, {"/data/my capture.h5"}, mapSpec()}, workers);
  dialog.show();
  for (QLineEdit* edit : dialog.findChildren<QLineEdit*>()) {
    if (!edit->isReadOnly() && edit->text().contains('/')) edit->setText(folder.path());
  }
  auto* write = dialog.findChild<QPushButton*>(QStringLiteral("exportButton"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return write->isEnabled(); }, 20000));
  QSignalSpy exported(&dialog, &ExportDialog::exported);
  write->click();
  EXPECT_EQ(exported.count(), 0);
  const QString said = dialog.findChild<QLabel*>(QStringLiteral("exportProblem"))->text();
  EXPECT_TRUE(said.contains("map-L4H2.csv") && said.endsWith("choose another name")) << said.toStdString();
  EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files).size(), 1);
}

// Enlarged three times on a screen of 400 dpi, a page would have 100 million pixels and block the window.
TEST(FigurePreview, LimitsPicturesToEightMillionPixels) {
  FigurePreview preview;
  PreviewSettings settings;
  settings.dpi = 100;
  settings.zoom = 2;
  preview.setSettings(settings);
  EXPECT_DOUBLE_EQ(preview.dpi(), 200 * preview.devicePixelRatioF());
  settings.widthInches = 7;
  settings.heightInches = 10;
  settings.dpi = 400;
  settings.zoom = 3;
  preview.setSettings(settings);
  EXPECT_NEAR(preview.dpi() * preview.dpi() * 70, 8e6, 1);
  EXPECT_GT(preview.sizeHint().width(), 7 * 1200) << "the preview keeps the requested size";
}

}  // namespace plastiscope
