#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>
#include <QTextEdit>
#include <fstream>

#include "gui/wait_for.h"
#include "support/temporary_folder.h"
#include "support/tiny_llama.h"
#include "widgets/pages/capture_dialog.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::TemporaryFolder;
using test::waitFor;

class CaptureDialogTest : public testing::Test {
 protected:
  CaptureDialogTest() {
    std::ofstream(folder / "one.txt") << std::string(300, 'a') + " word and another word\n";
    std::ofstream(folder / "two.txt") << "a few words only";
    // Answers as plastiscope-cli capture --estimate --json does.
    std::ofstream(folder / "cli.sh")
        << "#!/bin/sh\n"
           "echo '{\"examples\":2,\"tokens\":90,\"tokens_after_cut\":80,\"heads\":4,\"rows_per_head\":40,"
           "\"seconds\":2,\"memory_bytes\":1000000,\"memory_limit\":2000000,\"disk_bytes\":5000,"
           "\"free_disk\":1000000,\"fits\":true,\"advice\":\"\"}'\n";
    ::chmod((folder / "cli.sh").c_str(), 0755);
    model = folder / "model";
    test::TinyLlama().write(model);
    fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "text/gpt2/tokenizer.json", model / "tokenizer.json");
    dialog = std::make_unique<CaptureDialog>(std::vector<LibraryEntry>(), folder / "out",
                                             QString::fromStdString((folder / "cli.sh").string()), workers);
    dialog->show();
  }
  template <typename Widget>
  Widget* find(const char* name) {
    auto* widget = dialog->findChild<Widget*>(QString::fromLatin1(name));
    EXPECT_NE(widget, nullptr) << name;
    return widget;
  }
  bool startable() { return find<QPushButton>("captureStart")->isEnabled(); }

  TemporaryFolder folder;
  fs::path model;
  Workers workers;
  std::unique_ptr<CaptureDialog> dialog;
};

TEST_F(CaptureDialogTest, SaysWhatIsMissing) {
  EXPECT_FALSE(startable());
  EXPECT_TRUE(find<QLabel>("captureHint")->text().contains(QStringLiteral("model")));
  dialog->chooseModel(model);
  ASSERT_TRUE(
      waitFor([this] { return find<QLabel>("captureHint")->text().contains(QStringLiteral("text")); }));
  EXPECT_FALSE(startable());
}

TEST_F(CaptureDialogTest, CountsTokensEstimatesAndSaysTheCommand) {
  dialog->chooseModel(model);
  dialog->addTexts({folder.path()});
  ASSERT_TRUE(waitFor([this] { return startable(); }));
  const CaptureDraft draft = dialog->draft();
  EXPECT_EQ(draft.corpus.files, (std::vector<fs::path>{folder / "one.txt", folder / "two.txt"}));
  EXPECT_EQ(draft.out.parent_path(), folder / "out");
  const QString command = find<QPlainTextEdit>("captureCommand")->toPlainText();
  EXPECT_TRUE(command.contains(QStringLiteral("--model"))) << command.toStdString();
  EXPECT_TRUE(command.contains(QStringLiteral("--heads all")));
  ASSERT_TRUE(
      waitFor([this] { return find<QLabel>("estimateVerdict")->text().contains(QStringLiteral("fits")); }));
  ASSERT_TRUE(waitFor([this] { return !find<QTextEdit>("tokenPreview")->toPlainText().isEmpty(); }));
  EXPECT_TRUE(find<QTextEdit>("tokenPreview")->toPlainText().startsWith(QStringLiteral("aaa")));

  find<QSpinBox>("captureWindow")->setValue(64);
  EXPECT_TRUE(find<QPlainTextEdit>("captureCommand")->toPlainText().contains(QStringLiteral("--window 64")));
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
  find<QLineEdit>("captureOut")->setText(QString::fromStdString((folder / "out/p.h5").string()));
  Q_EMIT find<QLineEdit>("captureOut")->textEdited({});
  std::optional<CaptureDraft> started;
  QObject::connect(dialog.get(), &CaptureDialog::startRequested,
                   [&](const CaptureDraft& draft) { started = draft; });
  fs::create_directories(folder / "out");
  find<QPushButton>("captureStart")->click();
  ASSERT_TRUE(started);
  EXPECT_EQ(started->corpus.files, std::vector<fs::path>{folder / "out/p.txt"});
  std::ifstream file(folder / "out/p.txt");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "Pasted words, some of them.");
}

}  // namespace
}  // namespace plastiscope
