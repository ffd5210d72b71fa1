// Selections shared by the plots of a compare tab: the marked cell, the query position, published values;
// the drift of rows as a job.
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include "core/base/json.h"
#include "core/jobs/study_job.h"
#include "gui/window_fixture.h"
#include "widgets/compare/compare_columns.h"
#include "widgets/export/export_form.h"
#include "widgets/export/figure_kinds.h"
#include "widgets/export/figure_panels.h"
#include "widgets/pages/compare_page.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/plasticity_map_view.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

class CompareLinksTest : public test::WindowFixture {
 protected:
  CompareLinksTest() {
    for (const char* file : {"grouped.h5", "small.h5", "mixed.h5"}) provide(file, file);
    renew();
  }
  template <typename Widget>
  Widget* find(const QString& name) {
    auto* widget = window->currentCompare()->findChild<Widget*>(name);
    EXPECT_NE(widget, nullptr) << name.toStdString();
    return widget;
  }
  PlasticityMapView* map(int index) {
    return find<PlasticityMapView>(QStringLiteral("compareMap%1").arg(index));
  }
  QString note(const char* dock) {
    return find<QDockWidget>(QLatin1String(dock))
        ->findChild<QLabel*>(QStringLiteral("panelTitleNote"))
        ->toolTip();  // the whole note, however narrow the bar is
  }
  // Saves the analysis of a capture under another model's name.
  void provideAnalysis(const std::string& capture, const std::string& model, const std::string& name) {
    struct : Progress {
    } silent;
    AnalysisFile analysis = *openStudy(folder / capture, AnalysisSettings(), 1, silent)->analysis;
    analysis.provenance.capture.set("model", model);
    writeAnalysis(analysis, folder / name);
  }
};

TEST_F(CompareLinksTest, TheTitleBarExportsAndEnlargesItsPanel) {
  ComparePage* page = compareInCharts({"grouped", "small"});
  auto* maps = find<PanelDock>(QStringLiteral("compareMapsDock"));
  auto* numbers = find<PanelDock>(QStringLiteral("compareNumbersDock"));
  EXPECT_FALSE(
      numbers->bar().findChild<QToolButton*>(QStringLiteral("panelExport"))->isVisibleTo(&numbers->bar()))
      << "a table is no figure";
  maps->raise();
  maps->bar().findChild<QToolButton*>(QStringLiteral("panelExport"))->click();
  EXPECT_EQ(page->panels().currentFigure(), QStringLiteral("map"));
  auto* dialog = window->findChild<QDialog*>(QStringLiteral("exportDialog"));
  ASSERT_NE(dialog, nullptr);
  auto* write = dialog->findChild<QPushButton*>(QStringLiteral("exportButton"));
  EXPECT_TRUE(waitFor([&] { return write->isEnabled(); })) << "both maps as panels of one figure";
  delete dialog;

  const QByteArray before = page->panels().layoutState();
  page->panels().maximiseCurrent();
  EXPECT_TRUE(numbers->isHidden());
  EXPECT_FALSE(maps->isHidden());
  EXPECT_EQ(page->panels().layoutState(), before) << "the saved layout does not change";
  page->panels().maximiseCurrent();
  EXPECT_FALSE(numbers->isHidden());
}

TEST_F(CompareLinksTest, ACellThatIsClickedIsMarkedInAllMaps) {
  ComparePage* page = compareInCharts({"grouped", "small"});
  const auto& maps = page->model().views()->maps;
  Q_EMIT map(1)->cellActivated(0, 1);
  const auto first = matchedCell(*maps[1], {0, 1}, *maps[0]);
  ASSERT_TRUE(first);
  EXPECT_EQ(page->selection().value().cell, (CellChoice{first->column, first->row}));
  const auto cells = compareCell(maps, *first);
  for (int i = 0; i < 2; ++i) {
    const QString said = map(i)->accessibleDescription();
    EXPECT_TRUE(said.endsWith(cellValue(cells[static_cast<std::size_t>(i)]))) << said.toStdString();
  }
  EXPECT_EQ(note("compareMapsDock"), cellPlace(*maps[0], *first));
  const QString tip = cellTip(*page->model().views(), 0, *first);
  for (const ComparedModel& model : page->model().views()->comparison->models)
    EXPECT_TRUE(tip.contains(QString::fromStdString(model.name))) << tip.toStdString();

  page->selection().undo();
  EXPECT_EQ(note("compareMapsDock"), QString());
  EXPECT_EQ(map(0)->accessibleDescription().section(QStringLiteral(", "), -1), QStringLiteral("all heads"));
}

TEST_F(CompareLinksTest, ArrowKeysMoveTheMark) {
  ComparePage* page = compareInCharts({"grouped", "small"});
  QTest::keyClick(map(0), Qt::Key_Right);
  EXPECT_EQ(page->selection().value().cell, (CellChoice{0, 0})) << "the first key marks the first cell";
  QTest::keyClick(map(0), Qt::Key_Up);
  QTest::keyClick(map(0), Qt::Key_Left);
  EXPECT_EQ(page->selection().value().cell, (CellChoice{0, 1})) << "stops at the border";
}

TEST_F(CompareLinksTest, TheDifferenceShowsTheSameCell) {
  provide("grouped.h5", "twin.h5");
  CompareChoices choices;
  choices.mapDifference = true;
  ComparePage* page = compareInCharts({"grouped", "twin"}, choices);
  auto* difference = find<PlasticityMapView>(QStringLiteral("compareMapDifference"));
  const QImage before = difference->grab().toImage();
  page->selection().setCell(CellChoice{1, 1});
  find<QDockWidget>(QStringLiteral("compareDifferenceDock"))->raise();
  settle();
  EXPECT_NE(difference->grab().toImage(), before);
  Q_EMIT difference->cellActivated(0, 0);
  EXPECT_EQ(page->selection().value().cell, (CellChoice{0, 0}));
  EXPECT_EQ(note("compareMapsDock"), cellPlace(*page->model().views()->maps[0], {0, 0}));
}

TEST_F(CompareLinksTest, AClickIntoTheProfilesChoosesThePosition) {
  ComparePage* page = compareInCharts({"grouped", "small"});
  auto* profiles = find<FigureView>(QStringLiteral("compareProfilesDockView"));
  const auto tokens = page->model().views()->profiles.models.front().window;
  Q_EMIT profiles->placeActivated(0.5);
  EXPECT_EQ(page->selection().value().position, tokens / 2);
  EXPECT_TRUE(note("compareProfilesDock").contains(QStringLiteral(" · ")))
      << note("compareProfilesDock").toStdString();
  const QImage marked = profiles->grab().toImage();
  page->selection().setPosition(std::nullopt);
  EXPECT_TRUE(note("compareProfilesDock").isEmpty());
  EXPECT_NE(profiles->grab().toImage(), marked) << "the line is removed";
  CompareChoices choices;
  choices.tokens = true;
  page->model().setChoices(choices);
  settle();
  Q_EMIT profiles->placeActivated(3.7);
  EXPECT_EQ(page->selection().value().position, 3);
}

TEST_F(CompareLinksTest, PublishedValuesStandBehindTheOwnOnes) {
  provideAnalysis("grouped.h5", "Qwen/Qwen3-0.6B", "known.h5");
  provideAnalysis("small.h5", "nobody/nothing", "other.h5");
  ComparePage* page = compareInCharts({"known", "other"});
  page->selection().setMetric("r_k");
  settle();
  auto* box = find<QCheckBox>(QStringLiteral("comparePublished"));
  ASSERT_TRUE(box->isEnabled());
  EXPECT_TRUE(box->toolTip().contains(QStringLiteral("Qwen3-0.6B"))) << box->toolTip().toStdString();
  EXPECT_TRUE(note("compareDepthDock").isEmpty());
  auto* depth = find<FigureView>(QStringLiteral("compareDepthDockView"));
  auto* quintiles = find<FigureView>(QStringLiteral("compareQuintilesDockView"));
  const QImage depthBefore = depth->grab().toImage(), quintilesBefore = quintiles->grab().toImage();
  box->click();
  settle();
  const auto views = page->model().views();
  EXPECT_FALSE(views->depths->models[0].published.empty());
  EXPECT_TRUE(views->depths->models[1].published.empty()) << "the thesis does not know it";
  EXPECT_NE(depth->grab().toImage(), depthBefore);
  EXPECT_NE(quintiles->grab().toImage(), quintilesBefore);
  EXPECT_EQ(note("compareDepthDock"), QStringLiteral("reference: digitised"));
  EXPECT_TRUE(note("compareQuintilesDock").startsWith(QStringLiteral("reference: ")));
}

// resources/reference: AP_drop 0.168 of Qwen3-0.6B (notes), none for the other model.
TEST_F(CompareLinksTest, PublishedValuesStandBesideTheModelsOfAMetric) {
  provideAnalysis("grouped.h5", "Qwen/Qwen3-0.6B", "known.h5");
  provideAnalysis("small.h5", "nobody/nothing", "other.h5");
  ComparePage* page = compareInCharts({"known", "other"});
  page->selection().setMetric("ap_drop");
  find<QDockWidget>(QStringLiteral("compareMetricDock"))->raise();
  settle();
  auto* model = find<FigureView>(QStringLiteral("compareMetricDockView"));
  const QImage before = model->grab().toImage();
  EXPECT_TRUE(note("compareMetricDock").isEmpty() && note("compareTrajectoryDock").isEmpty());
  find<QCheckBox>(QStringLiteral("comparePublished"))->click();
  settle();
  const auto& series = page->model().views()->trajectory.series.front();
  ASSERT_FALSE(series.published[0].empty());
  EXPECT_DOUBLE_EQ(series.published[0].y.front(), 0.168);
  EXPECT_TRUE(series.published[1].empty());
  EXPECT_NE(model->grab().toImage(), before);
  EXPECT_EQ(note("compareMetricDock"), QStringLiteral("reference: notes"));
  EXPECT_EQ(note("compareTrajectoryDock"), QStringLiteral("reference: notes"));
  const auto& marks = model->shownPlot()->boxes.front().marks;
  EXPECT_TRUE(std::any_of(marks.begin(), marks.end(), [](const Mark& mark) {
    return std::ranges::any_of(mark.tips, [](const std::string& tip) {
      return tip.find("thesis: Qwen3-0.6B") != std::string::npos && tip.find("0.168") != std::string::npos;
    });
  }));
  page->selection().setMetric("r_k");
  settle();
  EXPECT_TRUE(note("compareMetricDock").isEmpty()) << "the thesis has it by depth alone";
}

// The table of the exported figure has the same numbers as the panel.
TEST_F(CompareLinksTest, TheExportedModelsOfAMetricKeepThePublishedValues) {
  provideAnalysis("grouped.h5", "Qwen/Qwen3-0.6B", "known.h5");
  provideAnalysis("small.h5", "nobody/nothing", "other.h5");
  CompareChoices choices;
  choices.published = true;
  ComparePage* page = compareInCharts({"known", "other"}, choices);
  page->selection().setMetric("ap_drop");
  settle();
  auto* dock = find<PanelDock>(QStringLiteral("compareMetricDock"));
  dock->raise();
  dock->bar().findChild<QToolButton*>(QStringLiteral("panelExport"))->click();
  auto* dialog = window->findChild<QDialog*>(QStringLiteral("exportDialog"));
  ASSERT_NE(dialog, nullptr);
  const FigureSpec spec = dialog->findChild<ExportForm*>()->spec();
  EXPECT_EQ(spec.figure, "trajectory");
  EXPECT_TRUE(spec.published);
  const FigureContent content = prepareFigure(page->model().studies(), spec);
  const auto& names = content.data.texts("model");
  const auto row = std::find(names.begin(), names.end(), "Qwen/Qwen3-0.6B, published");
  ASSERT_NE(row, names.end());
  EXPECT_DOUBLE_EQ(content.data.numbers("mean")[static_cast<std::size_t>(row - names.begin())], 0.168);
  delete dialog;
}

TEST_F(CompareLinksTest, DriftIsAJobWithProgress) {
  for (const char* file : {"drift_first.h5", "drift_second.h5"})
    fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "compare" / file, folder / file);
  ComparePage* page = compareInCharts({"drift_first", "drift_second"});
  QStringList told;
  bool quiet = false;
  QObject::connect(&session->jobs, &JobList::changed, window.get(), [&] {
    for (const JobHandle* job : session->jobs.active()) {
      told << doneText(job->progress());
      quiet = quiet || (job->active() && window->settled());
    }
  });
  find<QDockWidget>(QStringLiteral("compareDriftDock"))->raise();
  ASSERT_TRUE(waitFor([&] { return told.contains(QStringLiteral("6 / 6 heads · 100 %")); }))
      << told.join('|').toStdString();
  settle();
  EXPECT_FALSE(quiet) << "the window is not settled while the job runs";
  EXPECT_TRUE(find<QTableView>(QStringLiteral("driftTable"))->isVisibleTo(page));
}

}  // namespace
}  // namespace plastiscope
