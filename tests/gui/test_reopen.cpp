// Exported figures are opened or dropped in the window, in every format; figures of other programs are
// refused.
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QImage>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QUrl>

#include <map>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/figures/parts.h"
#include "core/jobs/study_job.h"
#include "gui/window_fixture.h"
#include "widgets/export/export_dialog.h"
#include "widgets/export/export_form.h"
#include "widgets/export/figure_files.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/page_composer.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/plots/plasticity_map_view.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

class ReopenTest : public test::WindowFixture {
 protected:
  ReopenTest() {
    for (const char* file : {"grouped.h5", "small.h5"}) provide(file, file);
    renew();
  }

  std::shared_ptr<const Study> study(const char* name) {
    Progress quiet;
    return openStudy(folder / name, AnalysisSettings(), 1, quiet);
  }
  FigureSpec mapSpec() {
    FigureSpec spec;
    spec.figure = "map";
    spec.scope.head = HeadName{1, 2};
    spec.preset = "acl";
    spec.heightInches = 2.25;
    spec.fontPoints = 8.5;
    spec.range = std::pair{0.1, 0.9};
    return spec;
  }
  fs::path exported(const FigureSpec& spec, const Studies& studies, const std::string& name,
                    bool fixedDate = false) {
    ExportOptions options;
    options.fixedDate = fixedDate;
    fs::create_directories(folder / "figures");
    exportFigure(studies, prepareFigure(studies, spec), spec, folder / "figures" / name, options);
    return folder / "figures" / name;
  }
  // Sends the events of a drop from a file manager.
  void drop(const fs::path& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(file.string()))});
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent event(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &event);
    settle();
  }
  PanelDock* dock(const char* name) { return window->findChild<PanelDock*>(QString::fromLatin1(name)); }
};

TEST_F(ReopenTest, EveryFormatOpensTheCaptureTheHeadTheViewAndTheSettings) {
  const FigureSpec spec = mapSpec();
  for (const char* name : {"map.pdf", "map.svg", "map.png", "map.json"}) {
    const std::string drawn = std::string(name) == "map.json" ? "map.pdf" : name;
    const fs::path figure = exported(spec, {study("grouped.h5")}, drawn).replace_filename(name);
    renew();
    drop(figure);
    ModelPage* page = window->currentPage();
    ASSERT_NE(page, nullptr) << name << ": " << message().text().toStdString();
    EXPECT_EQ(page->file(), folder / "grouped.h5") << name;
    EXPECT_EQ(page->selection().value().head, (HeadName{1, 2})) << name;
    EXPECT_FALSE(dock("mapDock")->visibleRegion().isEmpty()) << name;
    EXPECT_TRUE(message().text().contains(QLatin1String(name))) << message().text().toStdString();
    window->exports().exportCurrent();
    auto* dialog = window->findChild<ExportDialog*>();
    ASSERT_NE(dialog, nullptr);
    FigureSpec again = dialog->findChild<ExportForm*>()->spec();
    EXPECT_EQ(again.toJson(), spec.toJson()) << name;
    dialog->reject();
    test::settleEvents();
  }
}

// A page with views of two captures is exported and opened again.
TEST_F(ReopenTest, AFigurePageIsMadeOfViewsAndOpensAgain) {
  const auto formOf = [this] { return window->findChild<ExportDialog*>()->findChild<ExportForm*>(); };
  for (const char* name : {"grouped.h5", "small.h5"}) {
    (void)study(name);
    window->openPaths({folder / name});
    settle();
    QTest::mouseClick(window->currentPage()->findChild<PlasticityMapView*>(), Qt::LeftButton);
    settle();
    window->exports().addToPage();
  }
  EXPECT_TRUE(message().text().contains(QStringLiteral("panel 2"))) << message().text().toStdString();
  window->exports().openPage();
  auto* composer = window->findChild<PageComposer*>();
  ASSERT_NE(composer, nullptr);
  ASSERT_TRUE(QTest::qWaitFor([&] { return composer->settled(); }, 20000));
  composer->findChild<QPushButton*>(QStringLiteral("pageExport"))->click();
  ASSERT_NE(window->findChild<ExportDialog*>(), nullptr);
  const FigureSpec spec = formOf()->spec();
  EXPECT_EQ(spec.figure, "page");
  ASSERT_EQ(spec.parts.size(), 2u);
  for (const auto& [part, input] : {std::pair(spec.parts[0], ":1@"), std::pair(spec.parts[1], ":2@")})
    EXPECT_TRUE(part.starts_with("map:L") && part.find(input) != std::string::npos) << part;
  window->findChild<ExportDialog*>()->reject();
  composer->reject();
  test::settleEvents();

  const fs::path figure = exported(spec, {study("grouped.h5"), study("small.h5")}, "page.svg");
  renew();
  drop(figure);
  window->exports().exportCurrent();
  ASSERT_NE(window->findChild<ExportDialog*>(), nullptr);
  EXPECT_EQ(formOf()->spec().toJson(), spec.toJson());
  window->findChild<ExportDialog*>()->reject();
  test::settleEvents();
}

TEST_F(ReopenTest, AFigureOfAnOpenCaptureUsesItsTab) {
  FigureSpec spec;
  spec.figure = "depth";
  spec.metric = "ap_drop";
  const fs::path figure = exported(spec, {study("grouped.h5")}, "depth.svg");
  window->openPaths({folder / "grouped.h5"});
  settle();
  const int tabCount = tabs().count();
  window->openPaths({figure});
  settle();
  EXPECT_EQ(tabs().count(), tabCount) << "the tab that shows the capture";
  EXPECT_EQ(window->currentPage()->selection().value().metric, "ap_drop");
}

TEST_F(ReopenTest, EachOfTwoFiguresShowsItsOwnView) {
  std::vector<fs::path> figures;
  const std::map<std::string, std::string> metricOf = {{"grouped.h5", "ap_drop"},
                                                       {"small.h5", "bias_window"}};
  for (const auto& [name, metric] : metricOf) {
    FigureSpec spec;
    spec.figure = "head-grid";
    spec.metric = metric;
    figures.push_back(exported(spec, {study(name.c_str())}, name + ".svg"));
  }
  window->openPaths(figures);
  ASSERT_TRUE(waitFor([this] { return window->findChildren<ModelPage*>().size() == 2; }));
  settle();
  for (const ModelPage* page : window->findChildren<ModelPage*>())
    EXPECT_EQ(page->sessionTab().selection.metric, metricOf.at(page->file().filename().string()));
}

TEST_F(ReopenTest, SeveralStudiesOpenACompareTab) {
  FigureSpec spec;
  spec.figure = "compare-variance";
  const fs::path figure = exported(spec, {study("grouped.h5"), study("small.h5")}, "variance.pdf");
  drop(figure);
  ComparePage* page = window->currentCompare();
  ASSERT_NE(page, nullptr) << message().text().toStdString();
  EXPECT_EQ(page->model().files(), (std::vector<fs::path>{folder / "grouped.h5", folder / "small.h5"}));
  EXPECT_FALSE(dock("compareVarianceDock")->visibleRegion().isEmpty());
}

// The window would use other colours and markers for these models.
TEST_F(ReopenTest, AComparisonKeepsItsColoursAndMarkers) {
  const Studies studies = compare({"published:smollm3-3b", "published:qwen3-4b"})->model().studies();
  FigureSpec spec;
  spec.figure = "compare-matrix";
  spec.looks = {3, 17};
  drop(exported(spec, studies, "matrix.svg"));
  ComparePage* page = window->currentCompare();
  ASSERT_NE(page, nullptr) << message().text().toStdString();
  const auto looks = [page] {
    std::vector<std::pair<std::uint32_t, Marker>> shown;
    for (const SeriesStyle& style : seriesStyles(page->model().views()->matrix->columns))
      shown.emplace_back(style.colour.light, style.marker);
    return shown;
  };
  const auto lookOf = [](int look) {
    return std::pair(lookStyle(look).colour.light, lookStyle(look).marker);
  };
  ASSERT_NE(lookOf(3), lookOf(captureLook("published:smollm3-3b")));
  EXPECT_EQ(looks(), (std::vector{lookOf(3), lookOf(17)}));
  page->model().pin(1);
  settle();
  EXPECT_EQ(looks(), (std::vector{lookOf(17), lookOf(3)}));
  EXPECT_TRUE(exportCommand().contains(QStringLiteral("--looks 17,3"))) << exportCommand().toStdString();
}

// A page that accepts captures passes figures on to the window.
TEST_F(ReopenTest, PagesLeaveFiguresToTheWindow) {
  window->openComparison({});
  settle();
  const auto takes = [this](const char* name) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(folder / name))});
    QDragEnterEvent enter(QPoint(30, 30), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    static_cast<QObject*>(window->currentCompare())->event(&enter);
    return enter.isAccepted();
  };
  EXPECT_TRUE(takes("small.h5"));
  EXPECT_FALSE(takes("map.pdf"));
}

TEST_F(ReopenTest, BenchmarksOpenTheirTab) {
  FigureSpec spec;
  spec.figure = "benchmark";
  spec.metric = "ap_first20";
  spec.scores = (folder / "scores.csv").string();
  writeFileAtomically(spec.scores, std::string_view("model,score\nrandom,30\nqwen3-4b,31\n"));
  const fs::path figure = exported(spec, {study("grouped.h5")}, "benchmark.png");
  drop(figure);
  BenchmarksPage* page = window->currentBenchmarks();
  ASSERT_NE(page, nullptr) << message().text().toStdString();
  EXPECT_EQ(page->model().choices().predictor, "ap_first20");
  EXPECT_EQ(page->model().files(), std::vector<fs::path>{folder / "grouped.h5"});
}

TEST_F(ReopenTest, PublishedFiguresReportThatTheyHaveNoCapture) {
  FigureSpec spec;
  spec.figure = "ROT-05";
  drop(exported(spec, {}, "ratio.pdf"));
  EXPECT_TRUE(message().text().contains("published")) << message().text().toStdString();
  EXPECT_EQ(tabs().count(), 1);
}

TEST_F(ReopenTest, CapturesThatMovedBesideTheFigureAreFound) {
  const fs::path figure = exported(mapSpec(), {study("grouped.h5")}, "map.pdf");
  fs::rename(folder / "grouped.h5", folder / "figures" / "grouped.h5");
  drop(figure);
  ASSERT_NE(window->currentPage(), nullptr) << message().text().toStdString();
  EXPECT_EQ(window->currentPage()->file(), folder / "figures" / "grouped.h5");
}

TEST_F(ReopenTest, CapturesAreSearchedBesideAFigureWithoutFolders) {
  const fs::path figure = exported(mapSpec(), {study("grouped.h5")}, "map.svg", true);
  EXPECT_EQ(readFile(figure).find(folder.path().string()), std::string::npos)
      << "reproducible figures contain no folder";
  fs::copy_file(folder / "grouped.h5", folder / "figures" / "grouped.h5");
  drop(figure);
  ASSERT_NE(window->currentPage(), nullptr) << message().text().toStdString();
  EXPECT_EQ(window->currentPage()->file(), folder / "figures" / "grouped.h5");
}

// The capture was replaced after the export, so that its hash differs.
TEST_F(ReopenTest, AnotherCaptureOfThatNameIsShownWithAWarning) {
  const fs::path sidecar = exported(mapSpec(), {study("grouped.h5")}, "map.pdf").replace_extension(".json");
  Json provenance = readJsonFile(sidecar);
  provenance["analysis"]["capture_settings_hash"] = std::string(64, '7');
  writeFileAtomically(sidecar, provenance.dump());
  drop(sidecar);
  ASSERT_NE(window->currentPage(), nullptr) << message().text().toStdString();
  EXPECT_TRUE(message().text().startsWith("grouped.h5 was captured with other settings"))
      << message().text().toStdString();
}

TEST_F(ReopenTest, AMissingCaptureIsNamed) {
  const fs::path figure = exported(mapSpec(), {study("grouped.h5")}, "map.pdf");
  fs::remove(folder / "grouped.h5");
  drop(figure);
  EXPECT_EQ(window->currentPage(), nullptr);
  EXPECT_TRUE(message().text().contains((folder / "grouped.h5").string().c_str()))
      << message().text().toStdString();
}

TEST_F(ReopenTest, ForeignAndDamagedFilesShowOneMessage) {
  const fs::path ours = exported(mapSpec(), {study("grouped.h5")}, "map.svg");
  std::string damaged = readFile(ours), unknown = damaged;
  damaged.resize(damaged.find("<desc>") + 200);
  unknown.replace(unknown.find("&quot;figure&quot;:&quot;map&quot;"), 32,
                  "&quot;figure&quot;:&quot;mop&quot;");
  QImage(4, 4, QImage::Format_RGB32).save(QString::fromStdString(folder / "foreign.png"));
  {
    QPdfWriter writer(QString::fromStdString(folder / "foreign.pdf"));
    QPainter painter(&writer);
    painter.drawText(100, 100, "text");
  }
  const std::pair<const char*, std::string> files[] = {
      {"damaged.svg", damaged},
      {"unknown.svg", unknown},
      {"foreign.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><desc>a drawing</desc></svg>"},
      {"bomb.svg", "<!DOCTYPE s [<!ENTITY a \"" + std::string(4000, 'x') +
                       "\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]><svg><desc>&b;&b;</desc></svg>"},
      {"deep.svg", "<svg><desc>" + std::string(200, '[') + "</desc></svg>"},
      {"broken.png", "\x89PNG"},
      {"broken.pdf", "%PDF-1.4 <x:xmpmeta><a></x:xmpmeta>"}};
  for (const auto& [name, content] : files) writeFileAtomically(folder / name, content);
  for (const char* name : {"damaged.svg", "unknown.svg", "foreign.svg", "bomb.svg", "deep.svg", "broken.png",
                           "broken.pdf", "foreign.png", "foreign.pdf"}) {
    message().hide();
    drop(folder / name);
    EXPECT_TRUE(message().isVisible()) << name;
    EXPECT_TRUE(message().text().contains(QLatin1String(name))) << message().text().toStdString();
    EXPECT_LT(message().text().size(), 500) << message().text().toStdString();
    EXPECT_EQ(tabs().count(), 1) << name;
  }
}

TEST_F(ReopenTest, CopyPutsPictureVectorsAndNumbersOnTheClipboard) {
  window->openPaths({folder / "grouped.h5"});
  settle();
  QApplication::clipboard()->clear();
  QAction* copy = nullptr;
  for (QAction* action : window->actions()) {
    if (action->shortcut() == QKeySequence(QStringLiteral("Ctrl+Shift+C"))) copy = action;
  }
  ASSERT_NE(copy, nullptr);
  copy->trigger();
  settle();
  const QMimeData* mime = QApplication::clipboard()->mimeData();
  EXPECT_TRUE(mime->hasImage());
  EXPECT_TRUE(mime->data("application/pdf").startsWith("%PDF"));
  EXPECT_TRUE(mime->data("image/svg+xml").contains("<svg"));
  EXPECT_TRUE(mime->data("text/csv").startsWith("layer,head,"));
  EXPECT_TRUE(mime->text().startsWith("layer,head,"));
}

TEST_F(ReopenTest, TheScreensResolutionIsRemembered) {
  window->openPaths({folder / "grouped.h5"});
  settle();
  const auto dpi = [this] {
    window->exports().exportCurrent();
    return window->findChild<ExportDialog*>()->findChild<QSpinBox*>(QStringLiteral("screenDpi"));
  };
  dpi()->setValue(157);
  EXPECT_EQ(session->state.settings().screenDpi, 157);
  window->findChild<ExportDialog*>()->reject();
  renew();
  window->openPaths({folder / "grouped.h5"});
  settle();
  EXPECT_EQ(dpi()->value(), 157);
}

}  // namespace
}  // namespace plastiscope
