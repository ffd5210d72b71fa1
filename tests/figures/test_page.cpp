// Figure pages: panels at free places, the composer with mouse and keyboard, captions, labels that keep their
// units and do not overlap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QClipboard>
#include <QDropEvent>
#include <QFontMetricsF>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/compare/comparison.h"
#include "core/figures/figures.h"
#include "figures/figure_cases.h"
#include "figures/figure_study.h"
#include "widgets/export/figure_files.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/export/page_canvas.h"
#include "widgets/export/page_composer.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/plots/plot_renderer.h"
#include "widgets/state/table_copy.h"

namespace plastiscope::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int64_t kRows = 200;
const std::vector<std::string> kFour = {"map:L4H2:1", "profile:L4H2:1", "head-grid:ap_drop:1",
                                        "ab-scatter:L4H2:1"};

FigureSpec pageOf(std::vector<std::string> parts) {
  FigureSpec spec = PagePlan::emptySpec();
  spec.parts = std::move(parts);
  return spec;
}

QRectF boundsOf(const std::vector<LaidOutPanel>& panels) {
  QRectF all;
  for (const LaidOutPanel& panel : panels) all |= panel.box;
  return all;
}

// --- Places

TEST(PagePart, PlacesAreReadAndWritten) {
  const PagePart part = pagePart("map:L4H2:2@0.48x0.3+0.52+0.1");
  EXPECT_EQ(part.subject, "map:L4H2:2");
  EXPECT_EQ(part.place, (PanelPlace{0.52, 0.1, 0.48, 0.3}));
  EXPECT_EQ(part.text(), "map:L4H2:2@0.48x0.3+0.52+0.1");
  EXPECT_FALSE(pagePart("map:L4H2").place);
  const Studies studies = {figureStudy(kRows)};
  for (const char* wrong : {"map:L4H2@0.5x0.3", "map:L4H2@0.6x0.3+0.5+0", "map:L4H2@0.01x0.3+0+0"}) {
    EXPECT_FALSE(pagePart(wrong).place) << wrong;
    EXPECT_THROW(prepareFigure(studies, pageOf({wrong})), UsageError) << wrong;
  }
  EXPECT_THROW(prepareFigure(studies, pageOf({"map:L4H2@0.5x0.3+0+0", "map:L4H2"})), UsageError);
  FigureSpec titled = pageOf({"map:L4H2"});
  titled.titles = {"one", "two"};
  EXPECT_THROW(prepareFigure(studies, titled), UsageError);
}

// The boxes of each panel lie in its place; the page is as high as its lowest panel.
TEST(PagePart, PanelsAreDrawnAtTheirPlaces) {
  const FigureSpec spec = pageOf({"map:L4H2@0.4x0.35+0.6+0.1", "profile:L4H2@0.55x0.5+0+0"});
  const FigureContent content = prepareFigure({figureStudy(kRows)}, spec);
  const auto [units, style] = layoutOf(spec);
  EXPECT_NEAR(units.height(), 0.5 * units.width(), 1);
  const LaidOutPlot laid = layOutPlot(units, style, content.plot);
  const double width = units.width();
  std::vector<LaidOutPanel> left, right;
  for (const LaidOutPanel& panel : laid.panels)
    (panel.box.left() < 0.57 * width ? left : right).push_back(panel);
  ASSERT_FALSE(left.empty() || right.empty());
  const QRectF map = boundsOf(right), profile = boundsOf(left);
  EXPECT_TRUE(QRectF(0.6 * width, 0.1 * width, 0.4 * width, 0.35 * width).contains(map));
  EXPECT_TRUE(QRectF(0, 0, 0.55 * width, 0.5 * width).contains(profile));
  EXPECT_GT(map.height(), 0.2 * width);
  EXPECT_GT(profile.height(), 0.3 * width);
}

TEST(Snapping, MovesToColumnsAndNeighboursAndIntoThePage) {
  const std::vector<PanelPlace> others = {{0, 0, 0.49, 0.3}};
  const SnappedPlace beside = snapped({0.507, 0.004, 0.4, 0.3}, {}, others, {0, 1}, 0.01);
  EXPECT_NEAR(beside.place.x, 0.51, 1e-9) << "a gutter right of the other panel";
  EXPECT_NEAR(beside.place.y, 0, 1e-9);
  EXPECT_NEAR(beside.place.width, 0.4, 1e-9);
  const SnappedPlace sized = snapped({0, 0.4, 0.485, 0.3}, {false, false, true, true}, others, {0, 1}, 0.01);
  EXPECT_NEAR(sized.place.width, 0.49, 1e-9) << "as wide as the panel above";
  EXPECT_NEAR(snapped({0.9, -0.2, 0.4, 0.3}, {}, {}, {}, 0).place.right(), 1, 1e-9);
  FigureSpec spec = PagePlan::emptySpec();
  spec.preset = "icml";  // columns of 3.25 in, text of 6.75 in
  EXPECT_THAT(pageColumns(spec), testing::Contains(testing::DoubleNear(3.25 / 6.75, 1e-12)));
}

// --- Composer

class Composer : public testing::Test {
 protected:
  Composer() : m_figures(figures()) {
    composer = std::make_unique<PageComposer>(
        PagePlan(), [this] { return std::vector<PageOffer>{{"study", m_figures}}; }, 96, m_workers);
    composer->resize(1300, 800);
    composer->show();
    canvas = composer->findChild<PageCanvas*>();
  }
  ~Composer() override { composer.reset(); }

  std::vector<PageFigure> figures() const {
    std::vector<PageFigure> all;
    for (const char* id : {"map", "profile", "head-grid", "ab-scatter"}) {
      FigureSpec spec;
      spec.figure = id;
      spec.scope.head = HeadName{4, 2};
      spec.metric = "ap_drop";
      all.push_back({{m_study}, {"study.h5"}, fitToKind(spec, figureKind(id))});
    }
    return all;
  }

  // Drags a figure over the canvas and drops it with its middle at a place of the page.
  void drop(std::size_t figure, double x, double y) {
    const PageFigureMime mime(m_figures[figure]);
    const QPointF at = canvas->rectOf({x, y, 0, 0}).topLeft();
    QDragEnterEvent enter(at.toPoint(), Qt::CopyAction, &mime, Qt::LeftButton, {});
    QDragMoveEvent move(at.toPoint(), Qt::CopyAction, &mime, Qt::LeftButton, {});
    QDropEvent dropped(at, Qt::CopyAction, &mime, Qt::LeftButton, {});
    for (QEvent* event :
         {static_cast<QEvent*>(&enter), static_cast<QEvent*>(&move), static_cast<QEvent*>(&dropped)})
      QApplication::sendEvent(canvas, event);
  }
  void drag(QPointF from, QPointF by) {
    QTest::mousePress(canvas, Qt::LeftButton, {}, from.toPoint());
    for (const double part : {0.3, 1.0}) {
      QMouseEvent move(QEvent::MouseMove, from + part * by, canvas->mapToGlobal(from + part * by),
                       Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(canvas, &move);
    }
    QTest::mouseRelease(canvas, Qt::LeftButton, {}, (from + by).toPoint());
  }
  PanelPlace placeOf(std::size_t panel) const { return composer->plan().places().at(panel); }
  bool settle() {
    return QTest::qWaitFor([this] { return composer->settled(); }, 20000);
  }

  Workers m_workers;
  std::shared_ptr<const Study> m_study = figureStudy(kRows);
  std::vector<PageFigure> m_figures;
  std::unique_ptr<PageComposer> composer;
  PageCanvas* canvas = nullptr;
};

// Four panels by mouse alone, for NeurIPS: written, and set by LaTeX with its caption.
TEST_F(Composer, FourPanelsByMouseCompileIntoAnArticle) {
  drop(0, 0.25, 0.17);
  drop(1, 0.75, 0.17);
  drop(2, 0.25, 0.6);
  drop(3, 0.75, 0.6);
  ASSERT_TRUE(settle());
  EXPECT_EQ(composer->plan().panels(), 4U);
  EXPECT_EQ(composer->plan().overlap(), QString());
  for (std::size_t panel = 0; panel < 4; ++panel)
    EXPECT_EQ(pagePart(composer->plan().spec.parts[panel]).subject, kFour[panel]);
  EXPECT_NEAR(placeOf(0).x, 0, 1e-9) << "snapped to the edge";
  EXPECT_NEAR(placeOf(1).right(), 1, 1e-3);
  EXPECT_NEAR(placeOf(2).y - placeOf(0).bottom(), placeOf(3).y - placeOf(1).bottom(), 0.2);

  const PanelPlace before = placeOf(0);
  const QRectF rect = canvas->rectOf(before);
  drag(rect.bottomRight() - QPointF(1, 1), QPointF(0, 40));  // sizes it
  EXPECT_GT(placeOf(0).height, before.height + 0.05);
  composer->findChild<QToolButton*>(QStringLiteral("pageUndo"))->click();
  EXPECT_EQ(placeOf(0), before);
  ASSERT_TRUE(settle());

  QTemporaryDir folder;
  const std::filesystem::path out = folder.filePath("page.pdf").toStdString();
  const PagePlan& plan = composer->plan();
  ExportOptions options;
  options.caption = true;
  const FigureContent content = prepareFigure(plan.studies, plan.spec);
  exportFigure(plan.studies, content, plan.spec, out, options);
  EXPECT_NO_THROW(exportFigure(plan.studies, content, plan.spec, out, options)) << "replaces its own files";
  const std::string text = readFile(folder.filePath("page.caption.txt").toStdString());
  EXPECT_EQ(text,
            composer->findChild<QPlainTextEdit*>(QStringLiteral("pageCaption"))->toPlainText().toStdString() +
                "\n");
  EXPECT_THAT(text, HasSubstr("(a) Plasticity map, L4H2; (b) Profile, L4H2; (c) Head grid; (d) "));
  EXPECT_THAT(text, HasSubstr(" (68 heads). AP: attention plasticity of queries "));
  EXPECT_THAT(text, HasSubstr(" in each of 40 bins of positions. Intervals: 95 % over heads.\n"));

  const QString latex = QStandardPaths::findExecutable("pdflatex");
  if (latex.isEmpty()) GTEST_SKIP() << "pdflatex is not installed";
  writeFileAtomically(
      folder.filePath("article.tex").toStdString(),
      "\\documentclass{article}\n\\usepackage{graphicx}\n\\begin{document}\n\\begin{figure}\n"
      "\\includegraphics{page.pdf}\n\\input{page.caption.tex}\n\\end{figure}\n\\end{document}\n");
  QProcess process;
  process.setWorkingDirectory(folder.path());
  process.start(latex, {"-interaction=nonstopmode", "-halt-on-error", "article.tex"});
  ASSERT_TRUE(process.waitForFinished(60000));
  EXPECT_EQ(process.exitCode(), 0) << process.readAllStandardOutput().toStdString();
}

TEST_F(Composer, TitlesRemovalAndKeysAreUndone) {
  drop(0, 0.25, 0.17);
  drop(1, 0.75, 0.17);
  auto* title = composer->findChild<QLineEdit*>(QStringLiteral("pageTitle"));
  title->setText("One; head");
  Q_EMIT title->editingFinished();
  EXPECT_THAT(composer->plan().spec.titles, ElementsAre("", "One, head")) << "semicolons separate titles";
  const FigureSpec written = FigureSpec::fromJson(composer->plan().spec.toJson());
  EXPECT_EQ(written.titles, composer->plan().spec.titles);
  EXPECT_THAT(renderCommand(renderArguments(written, {}, "x.pdf")),
              HasSubstr("--titles = --titles 'One, head'"));
  const PanelPlace place = placeOf(1);
  QTest::keyClick(canvas, Qt::Key_Down);
  EXPECT_NEAR(placeOf(1).y, place.y + 0.01, 1e-3);
  QTest::keyClick(canvas, Qt::Key_Delete);
  EXPECT_EQ(composer->plan().panels(), 1U);
  for (int i = 0; i < 3; ++i) composer->findChild<QToolButton*>(QStringLiteral("pageUndo"))->click();
  EXPECT_EQ(composer->plan().panels(), 2U);
  EXPECT_THAT(composer->plan().spec.titles, IsEmpty());
  drop(2, 0.75, 0.2);  // upon the second panel
  EXPECT_EQ(composer->findChild<QLabel*>(QStringLiteral("pageProblem"))->text(),
            "Panels (b) and (c) overlap.");
  ASSERT_TRUE(settle());
}

// Inputs that no panel shows any longer are left out, and the others numbered again.
TEST(PagePlan, DropsUnusedInputs) {
  const Studies studies = figureStudies(3, kRows);
  FigureSpec grid;
  grid.figure = "head-grid";
  PagePlan plan;
  for (const auto& study : studies) plan.add({{study}, {"file"}, grid});
  FigureSpec both;
  both.figure = "compare";
  plan.add({{studies[0], studies[2]}, {"a", "c"}, both});
  EXPECT_EQ(pagePart(plan.spec.parts[3]).subject, "compare:1:3");
  plan.remove(1);
  EXPECT_EQ(plan.studies.size(), 2U);
  EXPECT_EQ(pagePart(plan.spec.parts[1]).subject, "head-grid:2");
  EXPECT_EQ(pagePart(plan.spec.parts[2]).subject, "compare:1:2");
  EXPECT_NO_THROW(prepareFigure(plan.studies, plan.spec));
}

// --- Labels

// Width of the tick labels side by side, of an upright axis their height.
void expectLabelsApart(const LaidOutAxis& axis, double length, bool across, const PlotStyle& style,
                       const std::string& where) {
  if (!axis.labelled || axis.slant != 0 || axis.ticks.size() < 2) return;
  const QFontMetricsF metrics(style.tick);
  for (std::size_t i = 1; i < axis.ticks.size(); ++i) {
    const double apart = std::fabs(axis.ticks[i] - axis.ticks[i - 1]) / (axis.high - axis.low) * length;
    const double both =
        across
            ? (metrics.horizontalAdvance(axis.labels[i]) + metrics.horizontalAdvance(axis.labels[i - 1])) / 2
            : 0.8 * metrics.height();
    EXPECT_GE(apart, both * 0.97) << where << ": " << axis.labels[i - 1].toStdString() << " and "
                                  << axis.labels[i].toStdString();
  }
}

// Every figure of a head or of all heads as a panel of a page of 2 x 2, at the widths of the venues.
TEST(PageLabels, DoNotOverlapAtAnyVenue) {
  const Studies studies = {withAligned(*figureStudy(kRows))};
  std::vector<std::string> parts;
  for (const FigureKind* kind : figuresFor(studies)) {
    if (kind->id != kPageFigure && kind->studies.most == 1)
      parts.push_back(kind->id + (kind->head == HeadNeed::None ? "" : ":L4H2"));
  }
  ASSERT_GT(parts.size(), 12U);
  std::size_t large = 0, pages = 0;
  for (const char* venue : {"acl", "neurips", "icml", "nature"}) {
    for (std::size_t first = 0; first < parts.size(); first += 4) {
      const std::vector<std::string> four(
          parts.begin() + static_cast<std::ptrdiff_t>(first),
          parts.begin() + static_cast<std::ptrdiff_t>(std::min(first + 4, parts.size())));
      ++pages;
      FigureSpec grid = pageOf(four);
      grid.preset = venue;
      const PagePlan plan = PagePlan::of(studies, {"f"}, grid);
      const FigureContent content = prepareFigure(studies, plan.spec);
      // Some figures have panels themselves and need more room: the composer says so.
      if (!tooSmall({plan.spec, content}).isEmpty()) {
        ++large;
        continue;
      }
      const auto [units, style] = layoutOf(plan.spec);
      for (const LaidOutPanel& panel : layOutPlot(units, style, content.plot).panels) {
        const std::string where = std::string(venue) + " " + testing::PrintToString(four);
        expectLabelsApart(panel.bottom, panel.box.width(), true, style, where);
        expectLabelsApart(panel.left, panel.box.height(), false, style, where);
        EXPECT_TRUE(QRectF({}, units).contains(panel.box)) << where;
        for (const LaidOutAxis* axis : {&panel.bottom, &panel.left}) {
          const double room =
              (axis == &panel.bottom ? 0.5
                                     : 0.6 * plan.places().front().height / plan.places().front().width) *
              units.width();
          EXPECT_LE(0.55 * RichText(axis->title, style.label).size().width(), room)
              << where << axis->title.toStdString();
        }
      }
    }
  }
  EXPECT_LE(3 * large, pages);
}

// The unit in the brackets that end a title.
std::string unitOf(const std::string& title) {
  const std::size_t open = title.rfind('(');
  if (open == std::string::npos || !title.ends_with(')')) return "";
  return QString::fromStdString(title.substr(open)).replace(" per ", "/").replace(" / ", "/").toStdString();
}

TEST(AxisTitles, KeepTheirUnitWhenShortened) {
  EXPECT_EQ(titleForms("long|short", "tokens"), "long (tokens)|short (tokens)");
  EXPECT_EQ(titleForms("loss", "nats per token"), "loss (nats per token)|loss (nats/token)");
  MetricInfo metric;
  metric.label = "B<sub>n</sub> (recency +)";
  metric.unit = "logits";
  EXPECT_EQ(valueAxis(metric, {0.5, 2}, false, {}).title,
            "B<sub>n</sub> (recency +) (logits)|B<sub>n</sub> (logits)");
  const std::vector<std::string> kUnits = {"(tokens)", "(logits)", "(nats/token)"};
  for (const FigureCase& figure : figureCases()) {
    const FigureContent content = prepareFigure(studiesOf(figure, 800), specOf(figure, 3.25));
    for (const Box* box : content.plot.allBoxes()) {
      for (const Axis* axis : {&box->x, &box->y}) {
        const QStringList forms = QString::fromStdString(axis->title).split('|');
        const std::string unit = unitOf(forms.front().toStdString());
        if (std::ranges::find(kUnits, unit) == kUnits.end()) continue;
        for (const QString& form : forms) EXPECT_EQ(unitOf(form.toStdString()), unit) << figure.figure;
      }
    }
  }
}

// --- Tables of the window

// All digits and the interval of the model, without hidden columns and columns of icons.
TEST(ShownTable, HasWhatTheViewShows) {
  QStandardItemModel model(2, 4);
  model.setHorizontalHeaderLabels({"", "head", "AP", "hidden"});
  for (int row = 0; row < 2; ++row) {
    model.setData(model.index(row, 1), QStringLiteral("L1 H%1").arg(row));
    model.setData(model.index(row, 2), QString::fromUtf8(row == 0 ? "0.312" : "\u2013"));
    model.setData(model.index(row, 3), row);
  }
  model.setData(model.index(0, 2), 0.31234, Qt::UserRole);
  model.setData(model.index(0, 2), QVariantList{0.29, 0.335}, kIntervalRole);
  QTableView view;
  view.setModel(&model);
  view.setColumnHidden(3, true);
  EXPECT_EQ(toCsv(shownTable(view)), "head,AP,AP_low,AP_high\nL1 H0,0.31234,0.29,0.335\nL1 H1,,,\n");
  offerTable(view);
  view.findChild<QMenu*>(QStringLiteral("copyTable"))->actions().at(2)->trigger();
  EXPECT_EQ(
      QApplication::clipboard()->text(),
      QStringLiteral("| head | AP |\n| :-- | --: |\n| L1 H0 | 0.312 [0.290, 0.335] |\n| L1 H1 | \u2013 |\n"));
}

// --- Many models

ComparedProfiles manyProfiles(std::size_t count) {
  ComparedProfiles data;
  for (std::size_t i = 0; i < count; ++i) {
    ComparedProfile model;
    model.model.name = "Model" + std::to_string(i);
    model.model.family = i % 2 == 0 ? "llama" : "qwen3";
    model.window = 4096;
    model.tokens = {512, 2048, 3584};
    model.mean = {0.5, 0.4, 0.3 + 0.001 * static_cast<double>(i)};
    model.meanHeads = {6, 6, 6};
    model.quintiles = {0.5, 0.45, 0.4, 0.35, 0.3};
    model.quintileIntervals.low.fill(std::nan(""));
    data.models.push_back(model);
  }
  return data;
}

TEST(ManyModels, AreNamedBesideTheirLines) {
  const Plot few = comparePlot(manyProfiles(6)), many = comparePlot(manyProfiles(24));
  EXPECT_EQ(few.legend.size(), 6U);
  EXPECT_TRUE(std::holds_alternative<BarMarks>(few.boxes[1].marks.front().kind));
  EXPECT_THAT(many.legend, IsEmpty());
  for (const Box& box : many.boxes) {
    EXPECT_TRUE(std::holds_alternative<LineMark>(box.marks.front().kind));
    ASSERT_EQ(box.beside.size(), 1U);
    const auto& names = std::get<TextMarks>(box.beside.front().marks.front().kind);
    EXPECT_EQ(names.texts.size(), 24U);
  }
}

// In a box with room for all, each name is drawn once, none touch; in a low one some are left out.
TEST(ManyModels, NamesAreDrawnApart) {
  for (const auto& [height, all] : {std::pair(4600, true), std::pair(1300, false)}) {
    const PlotStyle style = printStyle({});
    const Plot plot = comparePlot(manyProfiles(24), {.parts = CompareParts::Profiles});
    std::vector<double> tops;
    double line = 0;
    for (const LaidOutPanel& panel : layOutPlot({3000, height}, style, plot).panels) {
      for (const Primitive& shape : panel.shapes) {
        if (shape.kind != Primitive::Kind::Text || !shape.text.startsWith("Model")) continue;
        tops.push_back(shape.at.y());
        line = 0.85 * RichText(shape.text, shape.font).size().height();
      }
    }
    EXPECT_EQ(tops.size() == 24U, all) << tops.size();
    EXPECT_GT(tops.size(), 3U);
    std::ranges::sort(tops);
    for (std::size_t i = 1; i < tops.size(); ++i) EXPECT_GE(tops[i] - tops[i - 1], line) << height;
  }
}

}  // namespace
}  // namespace plastiscope::test
