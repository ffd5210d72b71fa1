// Content of figure files: sizes, fonts, filters, metadata, numbers.
#include <gtest/gtest.h>

#include <QBuffer>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/figures/figures.h"
#include "core/views/figure_tables.h"
#include "figures/figure_cases.h"
#include "figures/figure_study.h"
#include "figures/picture_compare.h"
#include "widgets/export/figure_files.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/plots/plot_renderer.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

namespace {

const test::FigureCase& caseOf(const std::string& figure) {
  static const std::vector<test::FigureCase> cases = test::figureCases();
  return *std::find_if(cases.begin(), cases.end(),
                       [&figure](const auto& one) { return one.figure == figure; });
}

FigureSpec specOf(const std::string& figure) {
  return test::specOf(caseOf(figure));
}

Studies studiesOf(const FigureSpec& spec, std::int64_t rows = 800) {
  return test::studiesOf(caseOf(spec.figure), rows);
}

std::vector<std::string> allIds() {
  std::vector<std::string> ids;
  for (const test::FigureCase& one : test::figureCases()) ids.push_back(one.figure);
  return ids;
}

QByteArray bytesOf(const FigureSpec& spec, FigureFormat format, const Json& provenance = Json(),
                   std::int64_t rows = 800) {
  return renderFigure(prepareFigure(studiesOf(spec, rows), spec), spec, format, provenance, true);
}

Json provenanceOf(const FigureSpec& spec) {
  return figureProvenance(studiesOf(spec), spec, true);
}

}  // namespace

class FigureFile : public testing::TestWithParam<std::string> {};

TEST_P(FigureFile, PdfHasTheRightPageAndEmbeddedTrueTypeFontsOnly) {
  FigureSpec spec = specOf(GetParam());
  spec.widthInches = 5.5;
  spec.heightInches = 2.1;
  const QByteArray pdf = bytesOf(spec, FigureFormat::Pdf);
  EXPECT_TRUE(pdf.startsWith("%PDF-1."));
  const auto page = test::pageOf(pdf);
  ASSERT_TRUE(page);
  EXPECT_NEAR(page->width(), 396, 0.01);
  EXPECT_NEAR(page->height(), 151.2, 0.01);
  EXPECT_FALSE(pdf.contains("DCTDecode"));
  EXPECT_FALSE(pdf.contains("/Type3"));
  EXPECT_TRUE(pdf.contains("/FontFile2"));  // TrueType
  EXPECT_FALSE(pdf.contains("/FontFile3"));
  // The tens of thousands of cells of an attention map are one picture.
  EXPECT_EQ(pdf.contains("/Subtype /Image"), GetParam() == "attention") << "everything else is a vector";
}

TEST_P(FigureFile, PopplerFindsOnlyEmbeddedTrueTypeFonts) {
  const auto fonts = test::fontsOf(bytesOf(specOf(GetParam()), FigureFormat::Pdf));
  if (!fonts) GTEST_SKIP() << "pdffonts is not installed";
  ASSERT_FALSE(fonts->isEmpty());
  for (const QString& font : *fonts) EXPECT_TRUE(test::isEmbeddedTrueType(font)) << font.toStdString();
}

TEST_P(FigureFile, WritesTheSameBytesEachTime) {
  for (const auto& [extension, format] : kFigureFormats) {
    const FigureSpec spec = specOf(GetParam());
    EXPECT_EQ(bytesOf(spec, format, provenanceOf(spec)), bytesOf(spec, format, provenanceOf(spec)));
  }
}

TEST_P(FigureFile, SvgIsWellFormedAndCarriesItsProvenance) {
  const FigureSpec spec = specOf(GetParam());
  QXmlStreamReader xml(bytesOf(spec, FigureFormat::Svg, provenanceOf(spec)));
  QString description, width;
  int texts = 0;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QLatin1String("svg")) width = xml.attributes().value("width").toString();
    if (xml.name() == QLatin1String("text")) ++texts;
    if (xml.name() == QLatin1String("desc")) description = xml.readElementText();
  }
  EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
  EXPECT_EQ(width, "82.55mm");
  EXPECT_GT(texts, 3) << "text stays text";
  EXPECT_EQ(parseJson(description.toStdString(), "svg").at("figure").at("figure"), GetParam());
}

TEST_P(FigureFile, PngStatesItsSizeAndProvenance) {
  const FigureSpec spec = specOf(GetParam());
  const QImage image = QImage::fromData(bytesOf(spec, FigureFormat::Png, provenanceOf(spec)), "PNG");
  EXPECT_EQ(image.width(), 975);  // 3.25 in at 300 dpi
  EXPECT_EQ(image.dotsPerMeterX(), 11811);
  EXPECT_EQ(parseJson(image.text("Plastiscope").toStdString(), "png").at("figure").at("figure"), GetParam());
}

namespace {

// Content of the script element with this id.
Json insideOf(const QByteArray& page, const QByteArray& id) {
  const QByteArray start = "<script type=\"application/json\" id=\"" + id + "\">";
  const qsizetype from = page.indexOf(start);
  const qsizetype to = page.indexOf("</script>", from);
  return parseJson(page.mid(from + start.size(), to - from - start.size()).toStdString(), id.toStdString());
}

}  // namespace

TEST_P(FigureFile, HtmlPageIsSelfContainedAndHasTooltips) {
  const FigureSpec spec = specOf(GetParam());
  const QByteArray page = bytesOf(spec, FigureFormat::Html, provenanceOf(spec));
  EXPECT_TRUE(page.contains("Content-Security-Policy\" content=\"default-src 'none'"));
  for (const char* outside : {"src=\"", "href=\"http", "url(http", "@import", "fetch(", "XMLHttpRequest"})
    EXPECT_FALSE(page.contains(outside)) << outside;
  EXPECT_EQ(page.count("<svg"), 1);
  EXPECT_FALSE(page.contains("<title></title>"));
  EXPECT_EQ(insideOf(page, "provenance").at("figure").at("figure"), GetParam());
  const Json items = insideOf(page, "items");
  const std::size_t tips = items.at("tips").size();
  EXPECT_GT(tips, 2U);
  EXPECT_EQ(items.at("points").size() + items.at("areas").size(), tips);
  for (const Json& point : items.at("points")) EXPECT_LT(point.at(2).get<std::size_t>(), tips);
  for (const Json& area : items.at("areas")) EXPECT_LT(area.at(4).get<std::size_t>(), tips);
  const FigureContent content = prepareFigure(studiesOf(spec), spec);
  EXPECT_TRUE(page.contains(QString::fromStdString(toCsv(content.data)).toHtmlEscaped().toUtf8()));
}

TEST_P(FigureFile, SidecarsHoldThePlottedNumbersAndTheProvenance) {
  QTemporaryDir folder;
  const FigureSpec spec = specOf(GetParam());
  const Studies studies = studiesOf(spec);
  const FigureContent content = prepareFigure(studies, spec);
  const std::filesystem::path out = folder.filePath("new/figure.pdf").toStdString();
  const auto written = exportFigure(studies, content, spec, out, {});
  ASSERT_EQ(written.size(), 3U);
  EXPECT_EQ(readFile(folder.filePath("new/figure.csv").toStdString()), toCsv(content.data));
  EXPECT_GT(content.data.rows(), 0U);
  const Json json = readJsonFile(folder.filePath("new/figure.json").toStdString());
  const bool several = studies.size() != 1;
  if (several) {
    EXPECT_EQ(json.at("inputs").size(), studies.size());
  }
  if (!studies.empty()) {
    const Json& first = several ? json.at("inputs").at(0) : json;
    EXPECT_EQ(first.at("capture_fingerprint"), std::string(64, 'a'));
    EXPECT_EQ(first.at("settings_hash"), std::string(64, 'd'));
    EXPECT_EQ(first.at("capture").at("examples").size(), 4U);
  }
  EXPECT_TRUE(json.contains("created"));
  FigureSpec read = FigureSpec::fromJson(json.at("figure"));
  const bool told = json.at("figure").contains("plasticity");
  EXPECT_EQ(told, figureKind(spec.figure).takes("plasticity"));
  if (told) {
    EXPECT_EQ(read.plasticity, shownPlasticity(studies, spec).kind);
  }
  read.plasticity = spec.plasticity;
  EXPECT_EQ(read.toJson(), spec.toJson());
}

INSTANTIATE_TEST_SUITE_P(All, FigureFile, testing::ValuesIn(allIds()), [](const auto& of) {
  std::string name = of.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

namespace {

// Renders an SVG with Qt's SVG renderer.
QImage readSvg(const QByteArray& bytes, const QSize& size) {
  QSvgRenderer svg(bytes);
  QImage image(size, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  svg.render(&painter);
  return image;
}

}  // namespace

// Qt's SVG renderer draws the SVG like the PNG: nothing lies outside its panel.
TEST(FigureSvg, LooksLikeThePng) {
  for (const std::string& id : allIds()) {
    const FigureSpec spec = specOf(id);
    const auto picture = [&spec] { return renderPreview(prepareFigure(studiesOf(spec), spec), spec, 100); };
    const QImage drawn = picture();
    const QByteArray bytes = bytesOf(spec, FigureFormat::Svg);
    EXPECT_GT(test::similarity(readSvg(bytes, drawn.size()), drawn), 0.9)
        << id << "; rendered again, the SVG is "
        << (bytesOf(spec, FigureFormat::Svg) == bytes ? "the same" : "different") << ", its similarity "
        << test::similarity(readSvg(bytes, drawn.size()), drawn) << ", that of the PNG "
        << test::similarity(picture(), drawn);
  }
}

TEST(FigurePdf, HasProvenanceInItsMetadata) {
  const FigureSpec spec = specOf("map");
  const QString pdf = QString::fromUtf8(bytesOf(spec, FigureFormat::Pdf, provenanceOf(spec)));
  const auto found = QRegularExpression("<plastiscope:provenance>(.*)</plastiscope:provenance>").match(pdf);
  ASSERT_TRUE(found.hasMatch());
  const QString json = found.captured(1)
                           .replace("&quot;", "\"")
                           .replace("&lt;", "<")
                           .replace("&gt;", ">")
                           .replace("&amp;", "&");
  EXPECT_EQ(parseJson(json.toStdString(), "xmp"), provenanceOf(spec));
}

// Names come from untrusted files.
TEST(FigurePage, EscapesNames) {
  Studies studies = test::figureStudies(2);
  auto analysis = std::make_shared<AnalysisFile>(*studies[1]->analysis);
  const std::string name = "</script><img src=x onerror=alert(1)>";
  analysis->provenance.capture.set("model", name);
  auto study = std::make_shared<Study>(*studies[1]);
  study->analysis = analysis;
  studies[1] = study;
  FigureSpec spec = specOf("compare");
  spec.scope.head.reset();
  spec.names = {"plain", name};
  const QByteArray page = renderFigure(prepareFigure(studies, spec), spec, FigureFormat::Html,
                                       figureProvenance(studies, spec, true), true);
  EXPECT_FALSE(page.contains("<img"));
  EXPECT_EQ(page.count("</script>"), 3);
  EXPECT_TRUE(page.contains("onerror"));
}

TEST(FigurePage, IsRecognisedAndReplaced) {
  QTemporaryDir folder;
  const FigureSpec spec = specOf("profile");
  const Studies studies = studiesOf(spec);
  const std::filesystem::path out = folder.filePath("figure.html").toStdString();
  exportFigure(studies, prepareFigure(studies, spec), spec, out, {});
  EXPECT_TRUE(mayBeFigure(out));
  EXPECT_EQ(readProvenance(out).at("figure").at("figure"), "profile");
  EXPECT_NO_THROW(exportFigure(studies, prepareFigure(studies, spec), spec, out, {}));
  writeFileAtomically(out, std::string_view("<html>mine</html>"));
  EXPECT_THROW(exportFigure(studies, prepareFigure(studies, spec), spec, out, {}), InputError);
}

TEST(FigurePdf, ManyPointsBecomeOneLosslessImage) {
  const QByteArray pdf = bytesOf(specOf("ab-scatter"), FigureFormat::Pdf, Json(), 30000);
  EXPECT_TRUE(pdf.contains("/Subtype /Image"));
  EXPECT_FALSE(pdf.contains("DCTDecode"));
  EXPECT_TRUE(pdf.contains("/FontFile2")) << "axes and text stay vectors";
}

TEST(FigureRange, DefinesTheColourScale) {
  FigureSpec spec = specOf("map");
  const QRgb brightest = colourMap("magma").at(1);
  const auto bright = [&] {
    return test::shareOf(renderPreview(prepareFigure(studiesOf(spec), spec), spec, 150), brightest);
  };
  const double before = bright();
  spec.range = std::pair{0.0, 0.01};
  EXPECT_LT(before, 0.01);
  EXPECT_GT(bright(), 0.2) << "every cell is above the range";
}

TEST(HeadGridFigure, HeadsThatWereNotCapturedAreNeverColoured) {
  HeadGridData data;
  data.metric = describeMetric("ap_overall");
  data.layers = 10;
  data.heads = 10;
  data.cells.resize(100);
  data.notCaptured = 100;
  QImage image(600, 500, QImage::Format_RGB32);
  const auto draw = [&] {
    paintPlot(image, 1, image.size(), PlotStyle::screen(Theme::Light, QFont()), headGridPlot(data));
    return test::shareOf(image, colourMap("viridis").at(0));
  };
  const double colourBarOnly = draw();
  EXPECT_LT(colourBarOnly, 0.01);
  EXPECT_GT(test::shareOf(image, QColor("#eff0f1").rgb(), 0), 0.3);
  for (HeadGridCell& cell : data.cells) cell.captured = true;  // value 0
  EXPECT_GT(draw(), 0.3);
}

TEST(FigureErrors, NameTheProblemAndSuggestAFix) {
  const auto study = test::figureStudy();
  const auto sentence = [&](const FigureSpec& spec) {
    try {
      prepareFigure({study}, spec);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  FigureSpec spec;
  spec.figure = "mapp";
  EXPECT_NE(sentence(spec).find("did you mean map?"), std::string::npos);
  spec.figure = "ab-scatter";
  EXPECT_NE(sentence(spec).find("--head"), std::string::npos);
  spec.scope.head = HeadName{5, 5};
  EXPECT_NE(sentence(spec).find("L5H5 was not captured"), std::string::npos);
  spec.figure = "map";
  spec.scope.layer = 2;
  EXPECT_NE(sentence(spec).find("contradict"), std::string::npos);
  spec = FigureSpec();
  spec.metric = "ap_dropp";
  EXPECT_NE(sentence(spec).find("did you mean ap_drop?"), std::string::npos);
  spec.metric = "ap_drop";
  spec.preset = "icmll";
  EXPECT_NE(sentence(spec).find("did you mean icml?"), std::string::npos);
}

TEST(FigureErrors, RefuseAWrongNumberOfStudies) {
  const FigureSpec spec = specOf("map");
  try {
    prepareFigure({}, spec);
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "figure map shows one capture or analysis, found 0");
  }
}

TEST(FigureErrors, ScattersNeedTheCapture) {
  auto study = std::make_shared<Study>(*test::figureStudy());
  study->capture = nullptr;
  EXPECT_THROW(prepareFigure({study}, specOf("ab-scatter")), InputError);
  EXPECT_NO_THROW(prepareFigure({study}, specOf("map")));
}

TEST(FigureErrors, LeaveNoFilesInAnUnwritableFolder) {
  QTemporaryDir folder;
  writeFileAtomically(folder.filePath("file").toStdString(), std::string_view("x"));
  const auto study = test::figureStudy();
  const FigureSpec spec = specOf("map");
  EXPECT_THROW(exportFigure({study}, prepareFigure({study}, spec), spec,
                            folder.filePath("file/figure.pdf").toStdString(), {}),
               InputError);
  EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files).size(), 1);
}

TEST(FigureSpecText, ParsesSizesRangesAndPoints) {
  EXPECT_EQ(parseFigureSize("5.5x2.1in"), (std::pair{5.5, 2.1}));
  EXPECT_NEAR(parseFigureSize("82x60mm").first, 82 / 25.4, 1e-12);
  EXPECT_THROW(parseFigureSize("5.5in"), UsageError);
  EXPECT_THROW(parseFigureSize("0x2in"), UsageError);
  EXPECT_EQ(parsePoints("9pt"), 9);
  EXPECT_THROW(parsePoints("9px"), UsageError);
  EXPECT_EQ(parseRange("0,1"), (std::pair{0.0, 1.0}));
  EXPECT_THROW(parseRange("1,0"), UsageError);
  EXPECT_THROW(FigureSpec::fromJson({{"figure", "map"}, {"presett", "icml"}}), UsageError);
  EXPECT_THROW(FigureSpec::fromJson({{"figure", 7}}), UsageError);
}

TEST(FigureSize, FollowsTheVenue) {
  FigureSpec spec;
  spec.figure = "quintiles";
  spec.preset = "icml";
  EXPECT_DOUBLE_EQ(resolveSize(spec).widthInches, 3.25);
  EXPECT_DOUBLE_EQ(resolveSize(spec).labelPoints, 8);
  spec.width = FigureWidth::Full;
  EXPECT_DOUBLE_EQ(resolveSize(spec).widthInches, 6.75);
  spec.preset = "nature";
  EXPECT_DOUBLE_EQ(resolveSize(spec).tickPoints, 6) << "the smallest size is 6 pt";
}

}  // namespace plastiscope
