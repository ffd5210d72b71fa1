// Captures by the real program that are viewed while they run, killed and resumed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <fstream>

#include "core/base/json.h"
#include "core/store/capture_file.h"
#include "core/store/work_folder.h"
#include "gui/window_fixture.h"
#include "support/tiny_llama.h"
#include "widgets/pages/library_panel.h"
#include "widgets/pages/model_page.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

constexpr int kTexts = 150;
constexpr std::int64_t kVocabulary = 50257;  // of the tokenizer in tests/data/text/gpt2

class UnfinishedTest : public test::WindowFixture {
 protected:
  void SetUp() override {
    const fs::path bin = PLASTISCOPE_BIN;
    if (!fs::exists(bin.parent_path() / "libexec/plastiscope/plastiscope-capture"))
      GTEST_SKIP() << "built without the capture backend";
    // Runs the real program after writing its process id to a file.
    fs::create_directories(folder / "bin");
    std::ofstream(folder / "bin/plastiscope-cli")
        << "#!/bin/sh\necho $$ > '" << (folder / "pid").string() << "'\nexec '"
        << (bin / "plastiscope-cli").string() << "' \"$@\"\n";
    ::chmod((folder / "bin/plastiscope-cli").c_str(), 0755);
    qputenv("PATH", QByteArray((folder / "bin").c_str()) + ":" + qgetenv("PATH"));
    writeModel();
    std::ofstream texts(folder / "texts.jsonl");
    for (int i = 0; i < kTexts; ++i) {
      std::string words;
      for (int word = 0; word < 120; ++word) words += "word " + std::to_string((word * 7 + i) % 97) + " ";
      texts << Json({{"id", i}, {"text", words}}).dump() << "\n";
    }
    draft.model = folder / "model";
    draft.corpus.files = {folder / "texts.jsonl"};
    draft.plan.heads = "L0H0,L1H1";
    draft.plan.rate = 1;
    draft.plan.dtype = "float32";
    draft.plan.device = "cpu";
    draft.out = folder / "captures/tiny words.h5";
    renew();
  }
  void writeModel() {
    test::TinyLlama model;
    model.config["vocab_size"] = kVocabulary;
    model.tensors["model.embed_tokens.weight"] = {kVocabulary, model.hidden};
    model.write(folder / "model");
    fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "text/gpt2/tokenizer.json",
                  folder / "model/tokenizer.json");
  }

  template <typename Widget>
  Widget* find(const char* name) {
    auto* widget = window->findChild<Widget*>(QString::fromLatin1(name));
    EXPECT_NE(widget, nullptr) << name;
    return widget;
  }
  CaptureList& captures() { return session->captures; }
  // Starts the capture and sends the signal as soon as a text is finished.
  void startAndSignal(int number) {
    captures().start(draft);
    ASSERT_TRUE(waitFor([this] { return find<QPushButton>("jobView")->isVisible(); }))
        << message().text().toStdString();
    std::ifstream(folder / "pid") >> child;  // later children overwrite it
    ASSERT_GT(child, 1);
    EXPECT_EQ(::kill(child, number), 0);
  }
  int tabOf(const QString& title) {
    for (int i = 0; i < tabs().count(); ++i) {
      if (tabs().tabText(i).startsWith(title)) return i;
    }
    return -1;
  }
  std::size_t textsOf(int tab) {
    auto* page = qobject_cast<ModelPage*>(tabs().widget(tab));
    return page ? page->study().capture->info().examples.size() : 0;
  }

  pid_t child = 0;
  CaptureRequest draft;
};

TEST_F(UnfinishedTest, AKilledCaptureIsOfferedAfterARestartAndGoesOn) {
  startAndSignal(SIGKILL);
  ASSERT_TRUE(waitFor([this] { return !captures().running(); }));
  EXPECT_TRUE(message().text().contains(QStringLiteral("crashed"))) << message().text().toStdString();
  ASSERT_EQ(captures().unfinished().size(), 1u);
  const std::int64_t finished = captures().unfinished().front().finished;
  ASSERT_GT(finished, 0);
  ASSERT_LT(finished, kTexts);

  renew();
  EXPECT_TRUE(
      message().text().contains(QStringLiteral("interrupted after %1 of %2 texts").arg(finished).arg(kTexts)))
      << message().text().toStdString();
  EXPECT_TRUE(find<QToolButton>("jobUnfinished")->isVisible());
  EXPECT_FALSE(fs::exists(draft.out));
  find<QPushButton>("messageAction")->click();  // Resume
  ASSERT_TRUE(waitFor([this] { return tabOf(QStringLiteral("tiny words")) >= 0 && window->settled(); }))
      << message().text().toStdString();
  EXPECT_EQ(textsOf(tabOf(QStringLiteral("tiny words"))), static_cast<std::size_t>(kTexts));
  EXPECT_TRUE(captures().unfinished().empty());
  EXPECT_FALSE(find<QToolButton>("jobUnfinished")->isVisible());
  renew();
  EXPECT_FALSE(message().isVisible()) << "the message is closed";
}

TEST_F(UnfinishedTest, FinishedTextsAreViewedWhileItRuns) {
  startAndSignal(SIGSTOP);
  const auto summary = WorkFolder::summaryOf(draft.out);
  ASSERT_TRUE(summary);
  EXPECT_TRUE(summary->busy);
  find<QPushButton>("jobView")->click();
  const QString partial = QStringLiteral("tiny words partial %1 of %2").arg(summary->finished).arg(kTexts);
  ASSERT_TRUE(waitFor([&] { return tabOf(partial) >= 0 && window->settled(); }))
      << message().text().toStdString();
  EXPECT_EQ(textsOf(tabOf(partial)), static_cast<std::size_t>(summary->finished));
  EXPECT_TRUE(captures().running());
  showFinished();
  const auto labels = window->findChild<DetailsPanel*>()->findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [&](QLabel* each) { return each->text() == partial; }))
      << "the details are those of the partial capture";
  for (const RecentFile& recent : session->state.settings().recentFiles)
    EXPECT_FALSE(captures().isSnapshot(recent.path)) << "partial captures are not remembered";
  ::kill(child, SIGCONT);
  ASSERT_TRUE(waitFor([this] { return !captures().running(); }));
  ASSERT_TRUE(waitFor([&] { return tabOf(QStringLiteral("tiny words")) >= 0 && window->settled(); }));
  EXPECT_EQ(tabOf(partial), -1) << "the finished capture replaces it";
  EXPECT_EQ(textsOf(tabOf(QStringLiteral("tiny words"))), static_cast<std::size_t>(kTexts));
}

// A capture started on the command line is resumed by a window that is opened later.
TEST_F(UnfinishedTest, ACaptureOfTheCommandLineIsOfferedAndGoesOn) {
  fs::create_directories(draft.out.parent_path());
  CaptureRequest typed = draft;
  typed.corpus.files = {"texts.jsonl"};  // relative to the working folder
  QProcess command;
  command.setWorkingDirectory(QString::fromStdString(folder.path().string()));
  const QString program = QString::fromStdString((fs::path(PLASTISCOPE_BIN) / "plastiscope-cli").string());
  command.start(program, QStringList{QStringLiteral("capture")} + captureArguments(typed));
  ASSERT_TRUE(waitFor([this] {
    const auto work = WorkFolder::summaryOf(draft.out);
    return work && work->finished > 0;
  })) << command.readAllStandardError().toStdString();
  ::kill(static_cast<pid_t>(command.processId()), SIGSTOP);
  renew();
  settle();
  EXPECT_TRUE(captures().unfinished().empty()) << "it runs";
  EXPECT_FALSE(message().isVisible());
  ::kill(static_cast<pid_t>(command.processId()), SIGKILL);
  ASSERT_TRUE(command.waitForFinished());
  session->library.refresh();
  ASSERT_TRUE(waitFor([this] { return message().isVisible(); }));
  EXPECT_TRUE(message().text().contains(QStringLiteral("interrupted after")))
      << message().text().toStdString();
  EXPECT_TRUE(find<QToolButton>("jobUnfinished")->isVisible());
  find<QPushButton>("messageAction")->click();  // Resume
  ASSERT_TRUE(waitFor([this] { return tabOf(QStringLiteral("tiny words")) >= 0 && window->settled(); }))
      << message().text().toStdString();
  EXPECT_EQ(textsOf(tabOf(QStringLiteral("tiny words"))), static_cast<std::size_t>(kTexts));
}

TEST_F(UnfinishedTest, DiscardAsksAndRemovesTheUnfinishedWork) {
  startAndSignal(SIGKILL);
  ASSERT_TRUE(waitFor([this] { return !captures().running(); }));
  auto* menu = find<QToolButton>("jobUnfinished")->menu();
  Q_EMIT menu->aboutToShow();
  ASSERT_EQ(menu->actions().size(), 1);
  EXPECT_TRUE(menu->actions().front()->text().startsWith(QStringLiteral("tiny words")));
  find<QPushButton>("messageOther")->click();  // Discard
  auto* question = window->findChild<QMessageBox*>();
  ASSERT_NE(question, nullptr);
  ASSERT_TRUE(fs::exists(WorkFolder::pathFor(draft.out)));
  question->button(QMessageBox::Discard)->click();
  ASSERT_TRUE(waitFor([this] { return !fs::exists(WorkFolder::pathFor(draft.out)); }));
  EXPECT_TRUE(waitFor([this] { return captures().unfinished().empty(); }));
}

}  // namespace
}  // namespace plastiscope
