// Settings that the capture dialog keeps, texts it finds in folders, and reasons to refuse Start.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <fstream>

#include "gui/capture_dialog_fixture.h"
#include "gui/window_fixture.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

class CaptureFolders : public test::CaptureDialogFixture {
 protected:
  // `answer`: shell commands of the estimating program.
  void begin(const std::string& answer) {
    std::ofstream(folder / "cli.sh") << "#!/bin/sh\n" << answer << "\n";
    ::chmod((folder / "cli.sh").c_str(), 0755);
    const fs::path model = provideModel();
    fs::create_directory(folder / "texts");
    std::ofstream(folder / "texts" / "COPYING") << "A licence without an extension.";
    std::ofstream(folder / "texts" / "blob") << std::string("\0\1binary", 8);
    std::ofstream(folder / "texts" / ".hidden") << "settings of a program";
    fs::create_symlink("COPYING", folder / "texts" / "LICENCE");
    show(QString::fromStdString((folder / "cli.sh").string()));
    dialog->chooseModel(model);
  }
  QPushButton& startButton() { return *find<QPushButton>("captureStart"); }
  QString verdict() { return find<QLabel>("estimateVerdict")->text(); }
};

TEST_F(CaptureFolders, TextsWithoutAnExtensionAreTakenOnce) {
  begin("exit 1");
  dialog->addTexts({folder / "texts"});
  EXPECT_EQ(dialog->draft().corpus.files, std::vector<fs::path>{folder / "texts" / "COPYING"});
  EXPECT_FALSE(find<QLabel>("captureFilesNote")->isVisible());
}

TEST_F(CaptureFolders, AFolderWithoutTextsIsReported) {
  begin("exit 1");
  fs::create_directory(folder / "none");
  dialog->addTexts({folder / "none"});
  EXPECT_TRUE(find<QLabel>("captureFilesNote")->isVisible());
  EXPECT_TRUE(find<QLabel>("captureFilesNote")->text().contains(QStringLiteral("No texts in")));
  dialog->addTexts({folder / "texts"});
  EXPECT_FALSE(find<QLabel>("captureFilesNote")->isVisible());
}

TEST_F(CaptureFolders, StartIsRefusedForTheReasonOfTheEstimate) {
  begin("echo 'plastiscope-cli: this program has no capture backend' >&2; exit 2");
  dialog->addTexts({folder / "texts"});
  ASSERT_TRUE(waitFor([this] { return verdict().contains(QStringLiteral("no capture backend")); }));
  EXPECT_FALSE(startButton().isEnabled());
  EXPECT_TRUE(find<QLabel>("captureHint")->text().contains(QStringLiteral("no capture backend")));
  find<QSpinBox>("captureWindow")->setValue(64);  // any change starts a new estimate
  EXPECT_TRUE(startButton().isEnabled());
}

TEST_F(CaptureFolders, TooFewRowsShowACaution) {
  begin("echo '{\"fits\":true,\"advice\":\"\",\"caution\":\"There will be no profile\"}'");
  dialog->addTexts({folder / "texts"});
  EXPECT_TRUE(waitFor([this] { return verdict().contains(QStringLiteral("no profile")); }));
  EXPECT_TRUE(find<QLabel>("estimateVerdict")->property("caution").toBool());
}

TEST_F(CaptureFolders, TheCommandHasAPlaceholderForTheModel) {
  show(QStringLiteral("cli"));
  const QString command = find<QPlainTextEdit>("commandLine")->toPlainText();
  EXPECT_TRUE(command.contains(QStringLiteral("--model MODEL"))) << command.toStdString();
  test::settleEvents();
  const auto* box = find<QPlainTextEdit>("commandLine");
  EXPECT_EQ(box->viewport()->height() % box->fontMetrics().lineSpacing(), 0) << "the height fits whole lines";
}

TEST_F(CaptureFolders, AModelThatIsFoundLaterIsOffered) {
  show(QStringLiteral("cli"));
  EXPECT_TRUE(dialog->draft().model.empty());
  LibraryEntry found;
  found.path = provideModel();
  found.name = QStringLiteral("tiny");
  dialog->addModels({found});
  EXPECT_EQ(dialog->draft().model, found.path);
}

class CaptureMemory : public test::WindowFixture {
 protected:
  CaptureMemory() {
    std::ofstream(folder / "a.txt") << "Some words.";
    renew();
  }
  CaptureDialog& open() {
    window->dialogs().capture();
    return *window->findChild<CaptureDialog*>();
  }
};

TEST_F(CaptureMemory, TheDialogOpensAsItWasLeft) {
  CaptureDialog& first = open();
  first.addTexts({folder / "a.txt"});
  first.findChild<QSpinBox*>(QStringLiteral("captureWindow"))->setValue(96);
  first.findChild<QComboBox*>(QStringLiteral("captureHeads"))->setEditText(QStringLiteral("L0H0"));
  first.reject();
  CaptureDialog& again = open();
  EXPECT_EQ(again.draft().plan.window, 96);
  EXPECT_EQ(again.draft().corpus.files, std::vector<fs::path>{folder / "a.txt"});
  again.reject();

  renew();
  CaptureDialog& restarted = open();
  EXPECT_EQ(restarted.draft().plan.window, 96);
  EXPECT_EQ(restarted.draft().plan.heads, "L0H0");
  EXPECT_TRUE(restarted.draft().corpus.files.empty()) << "texts are not kept for the next start";
  restarted.reject();
}

TEST_F(CaptureMemory, GivenTextsReplaceEarlierOnes) {
  open().addTexts({folder / "a.txt"});
  window->findChild<CaptureDialog*>()->reject();
  std::ofstream(folder / "b.txt") << "Other words.";
  window->dialogs().capture({}, {folder / "b.txt"});
  auto* dialog = window->findChild<CaptureDialog*>();
  EXPECT_EQ(dialog->draft().corpus.files, std::vector<fs::path>{folder / "b.txt"});
  dialog->reject();
}

}  // namespace
}  // namespace plastiscope
