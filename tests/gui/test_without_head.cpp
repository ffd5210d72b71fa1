// Measuring a capture without one of its heads: asked for in the window, run by the real program, opened as a
// comparison.
#include <gtest/gtest.h>

#include <QAction>
#include <QMessageBox>

#include "core/base/json.h"
#include "core/store/capture_file.h"
#include "gui/window_fixture.h"
#include "support/run_program.h"
#include "support/tiny_llama.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/plots/head_grid_view.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

#if PLASTISCOPE_HAS_TORCH

class WithoutHeadWindow : public test::WindowFixture {
 protected:
  WithoutHeadWindow() {
    qputenv("PATH", QByteArray(PLASTISCOPE_BIN ":") + qgetenv("PATH"));  // where the window finds the program
    test::TinyLlama().write(folder / "models" / "tiny");
    fs::copy(fs::path(PLASTISCOPE_TEST_DATA) / "text" / "default" / "tokenizer.json",
             folder / "models" / "tiny" / "tokenizer.json");
    test::writeTokenFile(folder / "t.jsonl", 5, 600);
    fs::create_directories(folder / "captures");
  }
  void captureAndOpen(const std::vector<std::string>& more = {}) {
    std::vector<std::string> all{"capture",
                                 "--model",
                                 (folder / "models" / "tiny").string(),
                                 "--tokens",
                                 (folder / "t.jsonl").string(),
                                 "--heads",
                                 "all",
                                 "--rate",
                                 "40",
                                 "--loss",
                                 "--out",
                                 (folder / "study.h5").string()};
    all.insert(all.end(), more.begin(), more.end());
    const test::ProgramResult run = test::runProgram("plastiscope-cli", all);
    ASSERT_EQ(run.exitCode, 0) << run.err;
    renew();
    session->settings().modelFolders = {folder / "models"};
    session->refreshLibrary();
    window->openPaths({folder / "study.h5"});
    settle();
    ASSERT_NE(window->currentPage(), nullptr);
    window->currentPage()->selection().setHead(HeadName{0, 1});
    test::settleEvents();
  }
  QAction* action() { return window->findChild<QAction*>(QStringLiteral("actionWithoutHead")); }
  QMessageBox* question() { return window->findChild<QMessageBox*>(QStringLiteral("withoutHead")); }
};

TEST_F(WithoutHeadWindow, OpensBothAsAComparison) {
  captureAndOpen();
  const auto* grid = window->currentPage()->findChild<HeadGridView*>();
  ASSERT_NE(grid, nullptr);
  EXPECT_TRUE(grid->actions().contains(action())) << "in the context menu of the grid";
  action()->trigger();
  ASSERT_NE(question(), nullptr);
  EXPECT_TRUE(question()->text().contains(QStringLiteral("L0H1")));
  EXPECT_TRUE(question()->text().contains(QStringLiteral("loss of every token")));
  question()->accept();
  ASSERT_TRUE(test::waitFor([this] { return window->currentCompare() != nullptr; }, 120000))
      << message().text().toStdString();
  EXPECT_TRUE(message().text().contains(QStringLiteral("The loss goes from ")))
      << message().text().toStdString();
  settle();
  const fs::path changed = folder / "captures" / "study.without-L0H1.h5";
  EXPECT_EQ(window->currentCompare()->model().files(), (std::vector<fs::path>{folder / "study.h5", changed}));

  const auto before = openCapture(folder / "study.h5"), after = openCapture(changed);
  EXPECT_EQ(after->info().settings->at("ablate"), "L0H1");
  EXPECT_EQ(after->info().settings->at("examples_sha256"), before->info().settings->at("examples_sha256"));
  EXPECT_EQ(after->rows({0, 1, RowSet::Query}).vectors, before->rows({0, 1, RowSet::Query}).vectors);
  EXPECT_EQ(after->rows({1, 2, RowSet::Query}).position, before->rows({1, 2, RowSet::Query}).position);
  EXPECT_NE(after->rows({1, 2, RowSet::Query}).vectors, before->rows({1, 2, RowSet::Query}).vectors);
  EXPECT_NE(after->losses(0).nll[300], before->losses(0).nll[300]);
}

TEST_F(WithoutHeadWindow, SaysWhatIsMissing) {
  captureAndOpen({"--no-texts"});
  action()->trigger();
  ASSERT_NE(question(), nullptr);
  question()->accept();
  ASSERT_TRUE(test::waitFor(
      [this] { return message().isVisible() && message().text().contains(QStringLiteral("--no-texts")); }));
  session->settings().modelFolders.clear();
  fs::remove_all(folder / "models");
  session->refreshLibrary();
  settle();
  action()->trigger();
  EXPECT_EQ(question(), nullptr);
  EXPECT_TRUE(message().text().contains(QStringLiteral("The model tiny was not found")));
}

#endif

}  // namespace
}  // namespace plastiscope
