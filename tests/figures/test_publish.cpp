// Figures for papers: venues' sizes and fonts, all figures of a tab, the clipboard, LaTeX sources.
#include <gtest/gtest.h>

#include <QDir>
#include <QMimeData>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <set>

#include "core/analysis/columns.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/compare/thesis_tables.h"
#include "figures/figure_study.h"
#include "figures/picture_compare.h"
#include "widgets/export/figure_batch.h"
#include "widgets/export/figure_kinds.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/export/pgfplots.h"
#include "widgets/export/tex_text.h"
#include "widgets/export/thesis_figures.h"

namespace plastiscope {

namespace {

PgfFigure sourceOf(const FigureContent& content, const FigureSpec& spec) {
  const auto [units, style] = layoutOf(spec);
  return pgfFigure(layOutPlot(units, style, content.plot), style, "figure");
}

FigureSpec specOf(const std::string& figure, const std::string& preset) {
  FigureSpec spec;
  spec.preset = preset;
  spec.figure = figure;
  if (figure == "panels") {  // a composition of maps
    spec.figure = "map";
    spec.heads = {{1, 2}, {4, 2}};
  } else if (figureKind(figure).head != HeadNeed::None) {
    spec.scope.head = HeadName{4, 2};
  }
  return spec;
}

struct VenueCase {
  std::string venue, figure;
};
void PrintTo(const VenueCase& one, std::ostream* out) {
  *out << one.figure << " for " << one.venue;
}

std::vector<VenueCase> venueCases() {
  std::vector<VenueCase> cases;
  for (const VenuePreset& venue : venuePresets()) {
    for (const char* figure : {"profile", "components", "head-grid", "ab-scatter", "panels"})
      cases.push_back({venue.id, figure});
  }
  return cases;
}

// Sizes of the fonts in points, as the SVG states them in twentieths of a point.
std::set<double> fontPoints(const QByteArray& svg) {
  std::set<double> sizes;
  QXmlStreamReader xml(svg);
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement || xml.name() != QLatin1String("text")) continue;
    sizes.insert(xml.attributes().value("font-size").toDouble() / kUnitsPerPoint);
  }
  return sizes;
}

bool holds(const std::set<double>& sizes, double points) {
  return std::any_of(sizes.begin(), sizes.end(), [points](double s) { return std::abs(s - points) < 0.06; });
}

}  // namespace

class VenueFile : public testing::TestWithParam<VenueCase> {};

TEST_P(VenueFile, HasTheVenuesSizeAndOnlyEmbeddedTrueTypeFonts) {
  const FigureSpec spec = specOf(GetParam().figure, GetParam().venue);
  const FigureSize size = resolveSize(spec);
  const Studies studies = {test::figureStudy(3000)};
  const FigureContent content = prepareFigure(studies, spec);
  const QByteArray pdf = renderFigure(content, spec, FigureFormat::Pdf, Json(), true);
  const auto page = test::pageOf(pdf);
  ASSERT_TRUE(page);
  const VenuePreset& venue = venuePreset(GetParam().venue);
  EXPECT_NEAR(page->width(), 72 * venue.columnInches, 0.02);
  EXPECT_NEAR(page->height(), 72 * size.heightInches, 0.02);
  EXPECT_FALSE(pdf.contains("DCTDecode"));
  const QByteArray svg = renderFigure(content, spec, FigureFormat::Svg, Json(), true);
  EXPECT_FALSE(svg.contains("image/jp"));
  const std::set<double> sizes = fontPoints(svg);
  EXPECT_TRUE(holds(sizes, size.labelPoints)) << "axis titles of " << size.labelPoints << " pt";
  EXPECT_TRUE(holds(sizes, size.tickPoints)) << "ticks of " << size.tickPoints << " pt";
  const auto fonts = test::fontsOf(pdf);
  if (!fonts) GTEST_SKIP() << "pdffonts is not installed";
  ASSERT_FALSE(fonts->isEmpty());
  for (const QString& font : *fonts) EXPECT_TRUE(test::isEmbeddedTrueType(font)) << font.toStdString();
}

INSTANTIATE_TEST_SUITE_P(Venues, VenueFile, testing::ValuesIn(venueCases()), [](const auto& one) {
  return QString::fromStdString(one.param.venue + "_" + one.param.figure)
      .replace(QRegularExpression("[^A-Za-z0-9]"), "_")
      .toStdString();
});

TEST(FigureBatch, WritesFiguresOfTheHeadAndOfAllHeads) {
  const Studies studies = {test::figureStudy(300)};
  const std::vector<FigureSpec> figures = figuresOfTab(studies, specOf("map", "icml"));
  std::set<QString> names;
  for (const FigureSpec& spec : figures) names.insert(figureFileName(spec));
  EXPECT_EQ(names.size(), figures.size()) << "no figure overwrites another";
  for (const char* name : {"map", "map-L4H2", "ab-scatter-L4H2", "profile-L4H2", "head-grid", "taxonomy"})
    EXPECT_TRUE(names.count(name)) << name;
  QTemporaryDir folder;
  const BatchResult result =
      exportAll({studies, figures, folder.filePath("new").toStdString(), "svg", ExportOptions()});
  EXPECT_TRUE(result.problems.empty()) << result.problems.front();
  EXPECT_EQ(result.written.size(), 3 * figures.size());
  for (const auto& file : result.written) EXPECT_TRUE(std::filesystem::exists(file)) << file;
}

TEST(FigureBatch, SeveralStudiesGetComparisonFigures) {
  FigureSpec spec;
  spec.figure = "compare";
  std::set<std::string> ids;
  for (const FigureSpec& one : figuresOfTab(test::figureStudies(3), spec)) ids.insert(one.figure);
  for (const char* id : {"compare", "trajectory", "compare-variance", "depth-map"})
    EXPECT_TRUE(ids.count(id)) << id;
  EXPECT_FALSE(ids.count("benchmark"));
}

TEST(FigureBatch, ReportsAFailedFigureAndWritesTheOthers) {
  auto study = std::make_shared<Study>(*test::figureStudy(300));
  auto analysis = std::make_shared<AnalysisFile>(*study->analysis);
  std::erase_if(analysis->tables, [](const Table& table) { return table.name == "map"; });
  study->analysis = analysis;
  QTemporaryDir folder;
  const Studies studies = {study};
  const std::vector<FigureSpec> figures = figuresOfTab(studies, specOf("profile", "icml"));
  ExportOptions options;
  options.dataTable = options.provenance = false;
  const BatchResult result = exportAll({studies, figures, folder.path().toStdString(), "pdf", options});
  ASSERT_FALSE(result.problems.empty());
  EXPECT_NE(result.problems.front().find("map-L4H2: "), std::string::npos) << result.problems.front();
  EXPECT_NE(result.exitCode, 0);
  EXPECT_EQ(result.written.size() + result.problems.size(), figures.size());
  EXPECT_FALSE(QFile::exists(folder.filePath("map-L4H2.pdf")));
  EXPECT_TRUE(QFile::exists(folder.filePath("profile-L4H2.pdf")));
}

TEST(FigureBatch, CancellingKeepsFinishedFiles) {
  QTemporaryDir folder;
  Workers workers;
  FigureBatch batch(workers);
  int ended = 0;
  QObject::connect(&batch, &FigureBatch::finished, [&] { ++ended; });
  QObject::connect(&batch, &FigureBatch::progressed, [&](int done, int) {
    if (done == 2) batch.cancel();
  });
  const Studies studies = {test::figureStudy(300)};
  batch.start(
      {studies, figuresOfTab(studies, specOf("map", "icml")), folder.path().toStdString(), "svg", {}});
  ASSERT_TRUE(QTest::qWaitFor([&] { return ended > 0; }, 60000));
  EXPECT_EQ(ended, 1);
  EXPECT_TRUE(batch.stopped());
  EXPECT_EQ(batch.result().written.size(), 6u);
  EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files).size(), 6) << "no partial files";
}

TEST(Clipboard, HasPictureVectorsAndNumbers) {
  const FigureSpec spec = specOf("profile", "icml");
  const Studies studies = {test::figureStudy(300)};
  const std::unique_ptr<QMimeData> mime(clipboardData({spec, prepareFigure(studies, spec)}));
  EXPECT_TRUE(mime->hasImage());
  EXPECT_TRUE(mime->data("application/pdf").startsWith("%PDF"));
  QXmlStreamReader svg(mime->data("image/svg+xml"));
  while (!svg.atEnd()) svg.readNext();
  EXPECT_FALSE(svg.hasError());
  EXPECT_EQ(mime->data("text/csv"), mime->text().toUtf8());
  EXPECT_TRUE(mime->text().section(QLatin1Char('\n'), 0, 0).contains("ap"))
      << mime->text().left(80).toStdString();
}

// Otherwise a colour would mean different values in different panels.
TEST(HeadGridPanels, ShareOneRange) {
  FigureSpec spec = specOf("head-grid", "icml");
  spec.plasticity = ApKind::Binned;
  const std::vector<FigurePart> parts = figureParts(figureKind("head-grid"), test::figureStudies(3), spec);
  ASSERT_EQ(parts.size(), 3u);
  ASSERT_TRUE(parts[0].spec.range.has_value());
  double low = 1e9, high = -1e9;
  for (const FigurePart& part : parts) {
    EXPECT_EQ(part.spec.range, parts[0].spec.range);
    const auto own = part.kind->fittedRange(*part.studies.front(), spec);
    low = std::min(low, own.first);
    high = std::max(high, own.second);
  }
  EXPECT_EQ(parts[0].spec.range, (std::pair{low, high}));
}

TEST(FigureSizes, WrapsPanelsThatExceedTheWidth) {
  FigureSpec narrow = specOf("ROT-10", "icml"), wide = narrow;
  wide.width = FigureWidth::Full;
  EXPECT_EQ(columnsOf(figureKind("ROT-10"), narrow), 1);
  EXPECT_EQ(columnsOf(figureKind("ROT-10"), wide), 3);
  EXPECT_GT(resolveSize(narrow).heightInches, 0.9 * resolveSize(narrow).widthInches);
  // Five families take two rows of three.
  const Studies three = test::figureStudies(3), five = test::figureStudies(5);
  const FigureSpec spec = specOf("ROT-04", "icml");
  EXPECT_NEAR(resolveSize(sizedFor(spec, five)).heightInches,
              2 * resolveSize(sizedFor(spec, three)).heightInches, 1e-9);
}

class PgfSource : public testing::TestWithParam<std::string> {};

TEST_P(PgfSource, HasBalancedBracesAndReadsOnlyExistingColumns) {
  const FigureSpec spec = specOf(GetParam(), "icml");
  const Studies studies = {test::figureStudy(300)};
  const PgfFigure figure = sourceOf(prepareFigure(studies, spec), spec);
  const QString tex = QString::fromStdString(figure.tex);
  int depth = 0;
  for (qsizetype i = 0; i < tex.size(); ++i) {
    if (i > 0 && tex[i - 1] == '\\') continue;
    depth += tex[i] == '{' ? 1 : tex[i] == '}' ? -1 : 0;
    ASSERT_GE(depth, 0) << "at " << i;
  }
  EXPECT_EQ(depth, 0);
  const QString header = QString::fromStdString(figure.table.substr(0, figure.table.find('\n')));
  const QStringList columns = header.split(',');
  auto plots = QRegularExpression("table\\[x=(\\w+), y=(\\w+)\\]").globalMatch(tex);
  int count = 0;
  for (; plots.hasNext(); ++count) {
    const auto plot = plots.next();
    EXPECT_TRUE(columns.contains(plot.captured(1)) && columns.contains(plot.captured(2)));
  }
  auto images = QRegularExpression("\\{figure-(\\d+)\\.png\\}").globalMatch(tex);
  std::size_t used = 0;
  for (; images.hasNext(); ++used) images.next();
  EXPECT_EQ(used, figure.images.size());
  EXPECT_GT(count + static_cast<int>(used), 0);
  EXPECT_EQ(tex.count("\\begin{axis}"), tex.count("\\end{axis}"));
}

TEST_P(PgfSource, CompilesToTheSizeOfTheFigure) {
  const QString latex = QStandardPaths::findExecutable("pdflatex");
  QProcess find;
  find.start("kpsewhich", {"pgfplots.sty", "standalone.cls"});
  if (latex.isEmpty() || !find.waitForFinished() || find.readAllStandardOutput().count('\n') < 2)
    GTEST_SKIP() << "LaTeX with pgfplots is not installed";
  const FigureSpec spec = specOf(GetParam(), "icml");
  const Studies studies = {test::figureStudy(300)};
  QTemporaryDir folder;
  writePgfplots(prepareFigure(studies, spec), spec, folder.filePath("figure.pdf").toStdString());
  QProcess process;
  process.setWorkingDirectory(folder.path());
  process.start(latex, {"-interaction=nonstopmode", "-halt-on-error", "figure.tex"});
  ASSERT_TRUE(process.waitForFinished(120000));
  ASSERT_EQ(process.exitCode(), 0) << process.readAllStandardOutput().right(1500).toStdString();
  QProcess info;
  info.start("pdfinfo", {folder.filePath("figure.pdf")});
  ASSERT_TRUE(info.waitForFinished());
  const auto page = QRegularExpression("Page size:\\s+([0-9.]+) x ([0-9.]+)")
                        .match(QString::fromUtf8(info.readAllStandardOutput()));
  EXPECT_NEAR(page.captured(1).toDouble(), 72 * resolveSize(spec).widthInches, 0.5);
  EXPECT_NEAR(page.captured(2).toDouble(), 72 * resolveSize(spec).heightInches, 0.5);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PgfSource,
                         testing::Values("profile", "quintiles", "map", "head-grid", "ab-scatter", "taxonomy",
                                         "components", "panels", "text", "keys"),
                         [](const auto& one) {
                           return QString::fromStdString(one.param).replace('-', '_').toStdString();
                         });

// pdfLaTeX stops at letters it does not know; a macro leaves them to engines that know them.
TEST(PgfSource, LettersBeyondLatinAreMarked) {
  EXPECT_EQ(texText("na\u00efve \u0160 \u03b1"), "na\u00efve \u0160 $\\alpha$");
  EXPECT_EQ(texText("\u6f22 \U0001f600"), "\\otherletter{\u6f22} \\otherletter{\U0001f600}");
}

TEST(PgfSource, CurvesKeepTheirNumbers) {
  FigureSpec spec = specOf("profile", "icml");
  const Studies studies = {test::figureStudy(300)};
  const FigureContent content = prepareFigure(studies, spec);
  const PgfFigure figure = sourceOf(content, spec);
  // The values of the head's curve are in the table of the figure and in that of the source.
  const auto* ap = content.data.find("ap");
  ASSERT_NE(ap, nullptr);
  const double first = numberAt(content.data, "ap", 3);
  double nearest = 1;
  const QStringList cells = QString::fromStdString(figure.table).split(QRegularExpression("[,\n]"));
  for (const QString& cell : cells) {
    bool number = false;
    const double value = cell.toDouble(&number);
    if (number) nearest = std::min(nearest, std::abs(value - first));
  }
  EXPECT_LT(nearest, 1e-3) << first;
}

// Columns name only figures and tables that can be drawn or printed, and each such figure is named by a
// column.
TEST(ThesisPlaces, AreFiguresAndTablesOfTheThesis) {
  std::set<QString> figures, named;
  for (const ThesisFigure& figure : thesisFigures()) {
    if (*figure.number != 0) figures.insert(figure.number);
  }
  const QRegularExpression number("[0-9A]\\.[0-9]+");
  for (const ThesisPlace& of : thesisPlaces()) {
    for (const QString& part : QString(of.printed).split("; ", Qt::SkipEmptyParts)) {
      for (auto found = number.globalMatch(part); found.hasNext();) {
        const QString one = found.next().captured();
        if (part.startsWith("figure"))
          named.insert(one);
        else
          EXPECT_TRUE(isThesisTable(one.toStdString())) << of.column << ": " << of.printed;
      }
    }
  }
  EXPECT_EQ(named, figures);
}

}  // namespace plastiscope
