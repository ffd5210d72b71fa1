#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSet>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextEdit>
#include <fstream>

#include "core/base/files.h"
#include "gui/capture_dialog_fixture.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

// Output of plastiscope-cli capture --estimate --json.
constexpr const char* kAnswer =
    "echo '{\"examples\":2,\"tokens\":90,\"tokens_after_cut\":80,\"heads\":4,\"rows_per_head\":40,"
    "\"seconds\":2,\"memory_bytes\":1000000,\"memory_limit\":2000000,\"disk_bytes\":5000,"
    "\"free_disk\":1000000,\"fits\":true,\"advice\":\"\"}'\n";

class CaptureDialogTest : public test::CaptureDialogFixture {
 protected:
  CaptureDialogTest() {
    std::ofstream(folder / "one.txt") << std::string(300, 'a') + " word and another word\n";
    std::ofstream(folder / "two.txt") << "a few words only";
    answer("");
    ::chmod((folder / "cli.sh").c_str(), 0755);
    model = provideModel();
    show(QString::fromStdString((folder / "cli.sh").string()));
  }
  // Makes the estimating program run `first` before it prints kAnswer.
  void answer(const std::string& first) {
    std::ofstream(folder / "cli.sh") << "#!/bin/sh\n" << first << kAnswer;
  }
  bool startable() { return find<QPushButton>("captureStart")->isEnabled(); }

  fs::path model;
};

TEST_F(CaptureDialogTest, NamesTheMissingInput) {
  EXPECT_FALSE(startable());
  EXPECT_TRUE(find<QLabel>("captureHint")->text().contains(QStringLiteral("model")));
  dialog->chooseModel(model);
  ASSERT_TRUE(
      waitFor([this] { return find<QLabel>("captureHint")->text().contains(QStringLiteral("text")); }));
  EXPECT_FALSE(startable());
}

TEST_F(CaptureDialogTest, WarnsOfUnusualTokensInThePreview) {
  writeFileAtomically(folder / "one.txt", std::string_view("a<|endoftext|>b"));
  dialog->chooseModel(model);
  dialog->addTexts({folder / "one.txt"});
  EXPECT_TRUE(waitFor([this] {
    return find<QLabel>("tokenWarnings")->text().startsWith(QStringLiteral("1 special token in 1 text"));
  }));
  EXPECT_TRUE(find<QLabel>("tokenWarnings")->isVisible());
}

TEST_F(CaptureDialogTest, AcceptsATokenizerForAModelWithoutOne) {
  fs::rename(model / "tokenizer.json", folder / "tokenizer.json");
  dialog->chooseModel(model);
  dialog->addTexts({folder / "one.txt"});
  EXPECT_TRUE(waitFor([this] {
    return find<QLabel>("captureHint")->text().contains(QStringLiteral("tokenizer.json"));
  })) << find<QLabel>("captureHint")->text().toStdString();
  find<QLineEdit>("captureTokenizer")->setText(QString::fromStdString((folder / "tokenizer.json").string()));
  EXPECT_TRUE(waitFor([this] { return startable(); })) << find<QLabel>("captureHint")->text().toStdString();
}

TEST_F(CaptureDialogTest, CountsTokensEstimatesAndShowsTheCommand) {
  dialog->chooseModel(model);
  dialog->addTexts({folder.path()});
  ASSERT_TRUE(waitFor([this] { return startable(); }));
  const CaptureRequest draft = dialog->draft();
  EXPECT_EQ(draft.corpus.files, (std::vector<fs::path>{folder / "one.txt", folder / "two.txt"}));
  EXPECT_EQ(draft.out.parent_path(), folder / "out");
  const QString command = find<QPlainTextEdit>("commandLine")->toPlainText();
  EXPECT_TRUE(command.contains(QStringLiteral("--model"))) << command.toStdString();
  EXPECT_TRUE(command.contains(QStringLiteral("--heads all")));
  ASSERT_TRUE(
      waitFor([this] { return find<QLabel>("estimateVerdict")->text().contains(QStringLiteral("fits")); }));
  ASSERT_TRUE(waitFor([this] { return !find<QTextEdit>("tokenPreview")->toPlainText().isEmpty(); }));
  EXPECT_TRUE(find<QTextEdit>("tokenPreview")->toPlainText().startsWith(QStringLiteral("aaa")));

  find<QSpinBox>("captureWindow")->setValue(64);
  EXPECT_TRUE(find<QPlainTextEdit>("commandLine")->toPlainText().contains(QStringLiteral("--window 64")));
  find<QComboBox>("captureHeads")->setEditText(QStringLiteral("L0H99"));
  EXPECT_FALSE(startable());
  find<QComboBox>("captureHeads")->setEditText(QStringLiteral("L0H0"));
  EXPECT_TRUE(startable());
}

TEST_F(CaptureDialogTest, StartHandsTheDraftOverAndWritesPastedText) {
  dialog->chooseModel(model);
  find<QTabWidget>("captureSources")->setCurrentIndex(2);
  find<QPlainTextEdit>("capturePaste")->setPlainText(QStringLiteral("Pasted words, some of them."));
  ASSERT_TRUE(waitFor([this] { return startable(); }));
  find<QLineEdit>("outFile")->setText(QString::fromStdString((folder / "out/p.h5").string()));
  Q_EMIT find<QLineEdit>("outFile")->textEdited({});
  std::optional<CaptureRequest> started;
  QObject::connect(dialog.get(), &CaptureDialog::startRequested,
                   [&](const CaptureRequest& draft) { started = draft; });
  fs::create_directories(folder / "out");
  find<QPushButton>("captureStart")->click();
  ASSERT_TRUE(started);
  EXPECT_EQ(started->corpus.files, std::vector<fs::path>{folder / "out/p.txt"});
  std::ifstream file(folder / "out/p.txt");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "Pasted words, some of them.");
}

// The pasted text is saved beside the capture; an existing file with other text is kept.
TEST_F(CaptureDialogTest, PastedTextReplacesNoOtherFile) {
  dialog->chooseModel(model);
  find<QTabWidget>("captureSources")->setCurrentIndex(2);
  find<QPlainTextEdit>("capturePaste")->setPlainText(QStringLiteral("Pasted words."));
  ASSERT_TRUE(waitFor([this] { return startable(); }));
  std::ofstream(folder / "p.txt") << "my notes";
  find<QLineEdit>("outFile")->setText(QString::fromStdString((folder / "p.h5").string()));
  Q_EMIT find<QLineEdit>("outFile")->textEdited({});
  bool started = false;
  QObject::connect(dialog.get(), &CaptureDialog::startRequested,
                   [&](const CaptureRequest&) { started = true; });
  find<QPushButton>("captureStart")->click();
  EXPECT_FALSE(started);
  std::ifstream file(folder / "p.txt");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "my notes");
}

// The estimating program reads the pasted text from a temporary file, again after every change.
TEST_F(CaptureDialogTest, PastedTextIsEstimatedToo) {
  answer("cp \"$5\" '" + (folder / "seen").string() + "'; ");
  dialog->chooseModel(model);
  find<QTabWidget>("captureSources")->setCurrentIndex(2);
  for (const char* words : {"Pasted words, some of them.", "Others now."}) {
    find<QPlainTextEdit>("capturePaste")->setPlainText(QString::fromLatin1(words));
    EXPECT_TRUE(waitFor([&] {
      std::ifstream seen(folder / "seen");
      return std::string(std::istreambuf_iterator<char>(seen), {}) == words;
    })) << words;
  }
  EXPECT_TRUE(
      waitFor([this] { return find<QLabel>("estimateVerdict")->text().contains(QStringLiteral("fits")); }));
  EXPECT_TRUE(dialog->draft().corpus.files.front().string().starts_with(folder.path().string()))
      << "the command line names the file that Start writes";
}

TEST_F(CaptureDialogTest, ACrashedEstimateShowsOneMessage) {
  answer("kill -KILL $$; ");
  dialog->chooseModel(model);
  dialog->addTexts({folder.path()});
  EXPECT_TRUE(waitFor([this] {
    return find<QLabel>("estimateVerdict")->text().contains(QStringLiteral("out of memory"));
  })) << find<QLabel>("estimateVerdict")->text().toStdString();
  EXPECT_TRUE(startable()) << "a failed estimate does not prevent the capture";
}

TEST_F(CaptureDialogTest, ShowsGpuMemoryWhenAGpuIsUsed) {
  const auto card = [this] {
    for (const auto* bar : dialog->findChildren<QProgressBar*>()) {
      if (bar->accessibleName() == QStringLiteral("GPU")) return bar;
    }
    return static_cast<const QProgressBar*>(nullptr);
  };
  dialog->chooseModel(model);
  dialog->addTexts({folder.path()});
  ASSERT_TRUE(waitFor([this] { return startable(); }));
  EXPECT_FALSE(card()->isVisible());
  answer(
      "echo '{\"fits\":true,\"memory_bytes\":1000000,\"memory_limit\":2000000,\"card_bytes\":5000000000,"
      "\"card_free\":20000000000}'; exit 0; ");
  find<QSpinBox>("captureWindow")->setValue(64);
  EXPECT_TRUE(waitFor([&] { return card()->isVisible(); }));
  EXPECT_EQ(card()->value(), 250);
}

TEST_F(CaptureDialogTest, AnEstimateThatDoesNotFitShowsTheAdvice) {
  answer(
      "echo '{\"fits\":false,\"memory_bytes\":5000000,\"memory_limit\":2000000,\"advice\":\"A window of "
      "2,048 tokens would fit.\"}'; exit 4; ");
  dialog->chooseModel(model);
  dialog->addTexts({folder.path()});
  EXPECT_TRUE(waitFor([this] {
    return find<QLabel>("estimateVerdict")->text() ==
           QStringLiteral("It does not fit. A window of 2,048 tokens would fit.");
  })) << find<QLabel>("estimateVerdict")->text().toStdString();
}

TEST_F(CaptureDialogTest, EveryControlIsReachedByTabAndHasAName) {
  dialog->chooseModel(model);
  dialog->addTexts({folder.path()});
  ASSERT_TRUE(waitFor([this] { return startable(); }));
  QSet<QWidget*> reached;
  QWidget* at = find<QComboBox>("captureModel");
  for (QWidget* next = at->nextInFocusChain(); next != at; next = next->nextInFocusChain()) {
    if ((next->focusPolicy() & Qt::TabFocus) && next->isVisible()) reached.insert(next);
  }
  for (QWidget* each : dialog->findChildren<QWidget*>()) {
    const bool control =
        qobject_cast<QAbstractButton*>(each) || qobject_cast<QComboBox*>(each) ||
        qobject_cast<QAbstractSpinBox*>(each) || qobject_cast<QTableView*>(each) ||
        (qobject_cast<QLineEdit*>(each) && !qobject_cast<QAbstractSpinBox*>(each->parent()) &&
         !qobject_cast<QComboBox*>(each->parent()));
    if (!control || !each->isVisible() || !each->isEnabled() || qobject_cast<QTableView*>(each->parent()))
      continue;
    const QString kind = QString::fromLatin1(each->metaObject()->className()) + ' ' + each->objectName();
    EXPECT_TRUE(each == at || reached.contains(each)) << kind.toStdString();
    QAccessibleInterface* access = QAccessible::queryAccessibleInterface(each);
    ASSERT_NE(access, nullptr);
    EXPECT_FALSE(access->text(QAccessible::Name).isEmpty()) << kind.toStdString();
  }
}

}  // namespace
}  // namespace plastiscope
