// Measures the effect of a head or the RoPE: started in the window, run by the real program, opened as a
// comparison with the original capture.
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <cmath>
#include <set>

#include "app/desktop/causes_dialog.h"
#include "app/desktop/measure_dialog.h"
#include "core/base/json.h"
#include "core/store/capture_file.h"
#include "core/store/work_folder.h"
#include "gui/window_fixture.h"
#include "support/run_program.h"
#include "support/tiny_llama.h"
#include "widgets/compare/matrix_view.h"
#include "widgets/jobs/capture_list.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/head_grid_view.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

#if PLASTISCOPE_HAS_TORCH

class WithoutHeadWindow : public test::WindowFixture {
 protected:
  WithoutHeadWindow() {
    qputenv("PATH", QByteArray(PLASTISCOPE_BIN ":") + qgetenv("PATH"));  // searched for the program
    test::TinyLlama().write(folder / "models" / "tiny");
    fs::copy(fs::path(PLASTISCOPE_TEST_DATA) / "text" / "default" / "tokenizer.json",
             folder / "models" / "tiny" / "tokenizer.json");
    test::writeTokenFile(folder / "t.jsonl", 4, 400);
    fs::create_directories(folder / "captures");
  }
  void capture(const char* name, const std::vector<std::string>& more = {}) {
    std::vector<std::string> all{"capture",
                                 "--model",
                                 (folder / "models" / "tiny").string(),
                                 "--tokens",
                                 (folder / "t.jsonl").string(),
                                 "--heads",
                                 "all",
                                 "--rate",
                                 "24",
                                 "--out",
                                 (folder / name).string()};
    if (losses) all.emplace_back("--loss");
    all.insert(all.end(), more.begin(), more.end());
    const test::ProgramResult run = test::runProgram("plastiscope-cli", all);
    ASSERT_EQ(run.exitCode, 0) << run.err;
  }
  void captureAndOpen(const std::vector<std::string>& more = {}) {
    capture("study.h5", more);
    renew();
    session->state.settings().modelFolders = {folder / "models"};
    session->library.refresh();
    window->openPaths({folder / "study.h5"});
    settle();
    ASSERT_NE(window->currentPage(), nullptr);
    window->currentPage()->selection().setHead(HeadName{0, 1});
    test::settleEvents();
  }
  QAction* action(const char* name = "actionWithoutHead") {
    return window->findChild<QAction*>(QString::fromLatin1(name));
  }
  QMenu* menu() { return window->findChild<QMenu*>(QStringLiteral("measure")); }
  MeasureDialog* question() { return window->findChild<MeasureDialog*>(QStringLiteral("measureDialog")); }
  QPushButton* start() { return question()->findChild<QPushButton*>(QStringLiteral("measureStart")); }
  // Number of input files that measurements keep.
  std::size_t inputs() const {
    std::error_code none;
    const auto files = fs::directory_iterator(folder / "settings" / "tokens", none);
    return none ? 0 : static_cast<std::size_t>(std::distance(fs::begin(files), fs::end(files)));
  }
  bool losses = true;  // whether captures keep them
  // Runs the measurement and opens the comparison.
  void measure() {
    start()->click();
    showFinished();
    ASSERT_NE(window->currentCompare(), nullptr);
  }
};

// Opens the context menu, calls `inMenu` and closes it.
void withMenuAt(QWidget& view, const QPoint& place, const std::function<void(const QMenu&)>& inMenu) {
  QContextMenuEvent asked(QContextMenuEvent::Mouse, place, view.mapToGlobal(place));
  QApplication::sendEvent(&view, &asked);
  auto* shown = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  ASSERT_NE(shown, nullptr);
  inMenu(*shown);
  shown->close();
  QCoreApplication::processEvents();
}

TEST_F(WithoutHeadWindow, OpensBothCapturesAsAComparison) {
  captureAndOpen({"--dense", "L0H1", "L1H0"});
  const auto* grid = window->currentPage()->findChild<HeadGridView*>();
  ASSERT_NE(grid, nullptr);
  EXPECT_TRUE(grid->actions().contains(menu()->menuAction())) << "in the context menu of the grid";
  EXPECT_TRUE(menu()->actions().contains(action()));
  action()->trigger();
  ASSERT_NE(question(), nullptr);
  EXPECT_TRUE(question()->text().contains(QStringLiteral("L0H1")));
  EXPECT_TRUE(question()->text().contains(QStringLiteral("loss of every token")));
  ASSERT_NO_FATAL_FAILURE(measure());
  EXPECT_TRUE(message().text().contains(QStringLiteral("The loss goes from ")))
      << message().text().toStdString();
  EXPECT_TRUE(message().text().contains(
      QStringLiteral("What-if predicts no change, because it treats each head alone")))
      << message().text().toStdString();
  const fs::path changed = folder / "captures" / "study.without-L0H1.h5";
  EXPECT_EQ(window->currentCompare()->model().files(), (std::vector<fs::path>{folder / "study.h5", changed}));

  const auto before = openCapture(folder / "study.h5"), after = openCapture(changed);
  EXPECT_EQ(after->info().settings->at("ablate"), "L0H1");
  EXPECT_TRUE(isDense(after->info(), 1, 0)) << "kept from the first capture";
  EXPECT_EQ(after->info().settings->at("examples_sha256"), before->info().settings->at("examples_sha256"));
  EXPECT_EQ(after->rows({0, 1, RowSet::Query}).vectors, before->rows({0, 1, RowSet::Query}).vectors);
  EXPECT_EQ(after->rows({1, 2, RowSet::Query}).position, before->rows({1, 2, RowSet::Query}).position);
  EXPECT_NE(after->rows({1, 2, RowSet::Query}).vectors, before->rows({1, 2, RowSet::Query}).vectors);
  EXPECT_NE(after->losses(0).nll[300], before->losses(0).nll[300]);

  // Vectors of layers before the head do not drift.
  const auto perplexityOf = [](const CaptureFile& capture) {
    double sum = 0, tokens = 0;
    for (std::int64_t text = 0; text < std::ssize(capture.info().examples); ++text) {
      for (const float loss : capture.losses(text).nll) {
        if (!std::isnan(loss)) sum += static_cast<double>(loss), ++tokens;
      }
    }
    return QString::number(std::exp(sum / tokens), 'f', 3);
  };
  const auto* label = window->currentCompare()->findChild<QLabel*>(QStringLiteral("driftPerplexity"));
  ASSERT_NE(label, nullptr);
  EXPECT_EQ(label->toolTip().section(QLatin1Char(','), 0, 0),
            QStringLiteral("perplexity %1 \u2192 %2").arg(perplexityOf(*before), perplexityOf(*after)));
}

TEST_F(WithoutHeadWindow, ReportsMissingTextsOrModel) {
  captureAndOpen({"--no-texts"});
  action()->trigger();
  ASSERT_NE(question(), nullptr);
  EXPECT_FALSE(start()->isEnabled()) << "reported before the start";
  const QList<QLabel*> labels = question()->findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(
      labels, [](const QLabel* label) { return label->text().contains(QStringLiteral("--no-texts")); }));
  question()->reject();
  test::settleEvents();
  session->state.settings().modelFolders.clear();
  fs::remove_all(folder / "models");
  session->library.refresh();
  settle();
  action()->trigger();
  EXPECT_EQ(question(), nullptr);
  EXPECT_TRUE(message().text().contains(QStringLiteral("The model tiny was not found")));
  EXPECT_EQ(message().findChild<QPushButton*>(QStringLiteral("messageAction"))->text(),
            QStringLiteral("Open the model …"));
}

// Losses missing from a capture are measured first, in a new capture that becomes the baseline.
TEST_F(WithoutHeadWindow, MeasuresTheLossOfACaptureThatHasNone) {
  losses = false;
  captureAndOpen();
  action()->trigger();
  ASSERT_NE(question(), nullptr);
  auto* first = question()->findChild<QPushButton*>(QStringLiteral("measureLossFirst"));
  ASSERT_TRUE(first->isVisible());
  first->click();
  test::settleEvents();
  ASSERT_NE(question(), nullptr);
  EXPECT_EQ(question()->windowTitle(), QStringLiteral("Measure the loss"));
  start()->click();
  const fs::path measured = folder / "captures" / "study.with-loss.h5";
  showFinished();
  ASSERT_EQ(window->currentPage()->file(), measured);
  EXPECT_EQ(window->currentPage()->selection().value().head, (HeadName{0, 1}));
  const auto before = openCapture(folder / "study.h5"), after = openCapture(measured);
  EXPECT_FALSE(before->hasLosses());
  EXPECT_TRUE(after->hasLosses());
  EXPECT_EQ(after->info().settings->at("examples_sha256"), before->info().settings->at("examples_sha256"));
  EXPECT_EQ(after->rows({0, 1, RowSet::Query}).position, before->rows({0, 1, RowSet::Query}).position);
  EXPECT_EQ(inputs(), 0U) << "nothing needs its texts any more";

  action("actionMeasureLoss")->trigger();
  ASSERT_NE(question(), nullptr);
  EXPECT_FALSE(start()->isEnabled()) << "it has them";
  question()->reject();
  test::settleEvents();
  action()->trigger();
  ASSERT_NE(question(), nullptr);
  EXPECT_FALSE(question()->findChild<QPushButton*>(QStringLiteral("measureLossFirst"))->isVisible());
}

// An unfinished measurement needs its texts and its study to resume; a discarded one does not.
TEST_F(WithoutHeadWindow, KeepsItsInputsUntilItIsDiscarded) {
  captureAndOpen();
  const std::weak_ptr<const Study> study = window->currentPage()->model().study();
  action("actionClampHead")->trigger();
  ASSERT_NE(question(), nullptr);
  const fs::path out = folder / "captures" / "study.clamped-L0H1.h5";
  start()->click();
  ASSERT_TRUE(test::waitFor([&] { return WorkFolder::summaryOf(out).has_value(); }, 60000));
  for (JobHandle* job : session->jobs.active()) job->cancel();
  ASSERT_TRUE(test::waitFor([&] { return session->jobs.active().isEmpty(); }, 60000));
  settle();
  if (session->captures.unfinished().empty()) GTEST_SKIP() << "finished before it was cancelled";
  action("actionCloseTab")->trigger();
  settle();
  EXPECT_FALSE(study.expired());
  EXPECT_EQ(inputs(), 2U) << "its texts and the analysis used for clamping";
  session->captures.discard(session->captures.unfinished().front().draft);
  ASSERT_TRUE(test::waitFor([&] { return !WorkFolder::summaryOf(out).has_value(); }, 60000));
  EXPECT_TRUE(test::waitFor([this] { return inputs() == 0; }));
  EXPECT_TRUE(study.expired());
}

TEST_F(WithoutHeadWindow, ClampsTheBiasByTheAnalysisInTheWindow) {
  captureAndOpen();
  action("actionClampHead")->trigger();
  ASSERT_NE(question(), nullptr);
  EXPECT_TRUE(question()->text().contains(QStringLiteral("The drift of its keys is ")));
  ASSERT_NO_FATAL_FAILURE(measure());
  EXPECT_TRUE(message().text().contains(QStringLiteral("What-if: AP of L0H1 itself from ")))
      << message().text().toStdString();
  const auto before = openCapture(folder / "study.h5"),
             after = openCapture(folder / "captures" / "study.clamped-L0H1.h5");
  EXPECT_EQ(after->info().settings->at("clamp_bias"), "L0H1");
  EXPECT_EQ(inputs(), 0U);
  EXPECT_FALSE(after->info().settings->at("clamp").at("slopes_and_axes_sha256").get<std::string>().empty());
  EXPECT_EQ(after->rows({0, 1, RowSet::Key}).vectors, before->rows({0, 1, RowSet::Key}).vectors);
  EXPECT_NE(after->rows({1, 2, RowSet::Query}).vectors, before->rows({1, 2, RowSet::Query}).vectors);
}

TEST_F(WithoutHeadWindow, MeasuresAnotherRopeAndRefusesInvalidSettings) {
  captureAndOpen();
  action("actionOtherRope")->trigger();
  ASSERT_NE(question(), nullptr);
  auto* json = question()->findChild<QLineEdit*>(QStringLiteral("ropeJson"));
  ASSERT_NE(json, nullptr);
  EXPECT_EQ(parseJson(json->text().toStdString(), "settings"),
            (Json{{"rope_type", "yarn"}, {"factor", 4.0}}));
  json->setText(QString());
  QTest::keyClicks(json, QStringLiteral("[4]"));
  EXPECT_FALSE(start()->isEnabled());
  json->setText(QString());
  auto* kind = question()->findChild<QComboBox*>(QStringLiteral("ropeKind"));
  kind->setCurrentIndex(kind->findData(QStringLiteral("linear")));
  Q_EMIT kind->activated(kind->currentIndex());
  auto* factor = question()->findChild<QLineEdit*>(QStringLiteral("rope-factor"));
  factor->clear();
  QTest::keyClicks(factor, QStringLiteral("4"));
  EXPECT_EQ(parseJson(json->text().toStdString(), "settings"),
            (Json{{"rope_type", "linear"}, {"factor", 4}}));
  EXPECT_TRUE(start()->isEnabled());
  ASSERT_NO_FATAL_FAILURE(measure());
  const auto before = openCapture(folder / "study.h5"),
             after = openCapture(folder / "captures" / "study.rope-linear-4.h5");
  EXPECT_TRUE(message().text().contains(QStringLiteral("What-if has no prediction for another RoPE")))
      << message().text().toStdString();
  EXPECT_EQ(after->info().settings->at("rope_override").at("rope_type"), "linear");
  EXPECT_NE(after->rows({0, 1, RowSet::Query}).vectors, before->rows({0, 1, RowSet::Query}).vectors);
}

TEST_F(WithoutHeadWindow, ARightClickSelectsTheHeadOfTheMenu) {
  captureAndOpen();
  auto* grid = window->currentPage()->findChild<HeadGridView*>();
  const auto place = grid->placeOf({1, 2});
  ASSERT_TRUE(place.has_value());
  QStringList inGrid;
  withMenuAt(*grid, place->center().toPoint(), [&inGrid](const QMenu& menu) {
    for (const QAction* each : menu.actions()) inGrid.append(each->text());
  });
  EXPECT_TRUE(inGrid.contains(QStringLiteral("&Measure"))) << inGrid.join(u',').toStdString();
  EXPECT_EQ(window->currentPage()->selection().value().head, (HeadName{1, 2}));
  auto* table = window->currentPage()->findChild<QTableView*>(QStringLiteral("headTable"));
  const QRect row = table->visualRect(table->model()->index(0, 1));
  QTest::mouseClick(table->viewport(), Qt::RightButton, {}, row.center());
  EXPECT_EQ(window->currentPage()->selection().value().head, (HeadName{0, 0}));
  EXPECT_TRUE(table->actions().contains(menu()->menuAction()));
}

// Measures the clicked column, including its earlier changes, not the first capture.
TEST_F(WithoutHeadWindow, InAComparisonTheClickedColumnIsMeasured) {
  capture("second.h5", {"--ablate", "L0H0"});
  captureAndOpen();
  ComparePage* page = compare({"study", "second"});
  const auto* matrix = page->findChild<MatrixView*>(QStringLiteral("compareMatrix"));
  FigureView* grid = matrix->cellAt(MatrixRow::Grid, 1);
  ASSERT_NE(grid, nullptr);
  std::optional<PointedHead> pointed;
  withMenuAt(*grid, grid->rect().center() + QPoint(5, 5), [&](const QMenu& shown) {
    EXPECT_TRUE(shown.actions().contains(menu()->menuAction()));
    pointed = page->model().pointed();
    action()->trigger();
  });
  ASSERT_TRUE(pointed && pointed->head);
  EXPECT_EQ(pointed->study->capture->path(), folder / "second.h5");
  EXPECT_EQ(page->selection().value().head, pointed->head) << "heads of one shape";
  EXPECT_EQ(page->model().pointed()->study->capture->path(), folder / "study.h5") << "no menu is open";
  ASSERT_NE(question(), nullptr);
  const std::string head = pointed->head->text();
  EXPECT_TRUE(question()->text().contains(QStringLiteral("second.h5"))) << question()->text().toStdString();
  EXPECT_TRUE(question()->text().contains(QString::fromStdString(head))) << question()->text().toStdString();
  start()->click();
  showFinished();
  ASSERT_NE(window->currentCompare(), page);
  const fs::path changed = folder / "captures" / ("second.without-" + head + ".h5");
  EXPECT_EQ(window->currentCompare()->model().files(),
            (std::vector<fs::path>{folder / "second.h5", changed}));
  EXPECT_EQ(window->currentCompare()->selection().value().head, pointed->head);
  EXPECT_EQ(openCapture(changed)->info().settings->at("ablate"), "L0H0," + head);
}

// The mean over the texts, or the output on another text, in place of the head: its cost opens with the
// study.
TEST_F(WithoutHeadWindow, MeanAndResampledOutputsAreMeasuredByTheirLoss) {
  losses = false;
  captureAndOpen();
  for (const char* way : {"mean", "resample"}) {
    action()->trigger();
    ASSERT_NE(question(), nullptr);
    auto* ways = question()->findChild<QComboBox*>(QStringLiteral("measureWay"));
    ASSERT_NE(ways, nullptr);
    ways->setCurrentIndex(ways->findData(QLatin1String(way)));
    ASSERT_TRUE(start()->isEnabled());
    start()->click();
    showFinished();
    const Table* effects = window->currentPage()->study().analysis->find("effects");
    ASSERT_NE(effects, nullptr) << message().text().toStdString();
    const std::vector<std::string>& measured = effects->texts("way");
    EXPECT_EQ(std::set<std::string>(measured.begin(), measured.end()), (std::set<std::string>{"zero", way}));
    EXPECT_GT(effects->integers("texts").front(), 1) << "n";
    EXPECT_LT(effects->numbers("low").front(), effects->numbers("high").front());
  }
}

// Probes, an intervention study and a composition run as jobs; the study opens again with their results.
TEST_F(WithoutHeadWindow, ProbesAndStudiesOpenWithTheStudy) {
  losses = false;
  captureAndOpen();
  const auto run = [&](int kind) {
    action("actionCauses")->trigger();
    auto* dialog = window->findChild<CausesDialog*>(QStringLiteral("causesDialog"));
    ASSERT_NE(dialog, nullptr);
    dialog->findChild<QComboBox*>(QStringLiteral("causesKind"))->setCurrentIndex(kind);
    auto* kinds = dialog->findChild<QComboBox*>(QStringLiteral("probeKinds"));
    ASSERT_NE(kinds, nullptr);
    kinds->setCurrentIndex(kinds->findText(QStringLiteral("random_repeat")));
    const std::pair<const char*, const char*> texts[] = {
        {"probeLengths", "160"},      {"probeDepths", "0"},          {"studyDoses", "1,2"},
        {"studySingles", "none"},     {"causesWays", "zero, clamp"}, {"compositionEdges", "3"},
        {"compositionLengths", "160"}};
    for (const auto& [name, text] : texts) {
      auto* line = dialog->findChild<QLineEdit*>(QString::fromLatin1(name));
      ASSERT_NE(line, nullptr) << name;
      line->setText(QString::fromLatin1(text));
    }
    for (const char* name : {"probeCount", "studyRandomSets", "studyMatchedSets", "compositionCount"})
      dialog->findChild<QSpinBox*>(QString::fromLatin1(name))->setValue(3);
    auto* startButton = dialog->findChild<QPushButton*>(QStringLiteral("causesStart"));
    ASSERT_TRUE(startButton->isEnabled());
    startButton->click();
    showFinished();
    ASSERT_NE(window->currentPage(), nullptr) << message().text().toStdString();
  };
  const auto shown = [&](const char* table) {
    return window->currentPage()->study().analysis->find(table) != nullptr;
  };
  ASSERT_NO_FATAL_FAILURE(run(0));
  EXPECT_TRUE(shown("probes") && shown("retrieval"));
  const Table* heads = window->currentPage()->study().analysis->find("heads");
  EXPECT_NE(heads->find("probe_retrieval_score"), nullptr);
  window->currentPage()->showView(QStringLiteral("causes"));
  settle();
  const auto choice = [&] {
    return window->currentPage()->findChild<QComboBox*>(QStringLiteral("causesChoice"));
  };
  ASSERT_NE(choice(), nullptr);
  EXPECT_EQ(choice()->count(), 2);
  ASSERT_NO_FATAL_FAILURE(run(1));
  EXPECT_TRUE(shown("effects") && shown("draws"));
  EXPECT_EQ(choice()->currentText(), QStringLiteral("Cost of changed heads"));
  ASSERT_NO_FATAL_FAILURE(run(2));
  const Table* edges = window->currentPage()->study().analysis->find("edges");
  ASSERT_NE(edges, nullptr);
  EXPECT_EQ(edges->rows(), 3u);
  EXPECT_NE(edges->find("p_adjusted"), nullptr);
}

#endif

}  // namespace
}  // namespace plastiscope
