// Compares every figure with its baselines: the plot as text, exactly, and the picture. For a new or changed
// figure, check the actual picture and the text that the failure names, then copy both over the baselines.
#include <gtest/gtest.h>

#include <QDir>
#include <QFileInfo>

#include "core/base/files.h"
#include "figures/figure_cases.h"
#include "figures/figure_study.h"
#include "figures/picture_compare.h"
#include "figures/plot_text.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/figure_renderer.h"

namespace plastiscope {

namespace {

// Another serif font or version of Qt draws other outlines, so such pictures are compared by their structure.
// Measured: pictures with another font stay above this limit, pictures with a missing part fall below it.
constexpr double kAlike = 0.84;
// For the same font and Qt. Measured: equal pictures differ by 0, a thin line in another colour by 20.
constexpr double kMaxDifference = 6;

using test::FigureCase;

std::vector<FigureCase> pictureCases() {
  std::vector<FigureCase> cases = test::figureCases();
  for (const char* id : {"groups", "group-contrasts"}) cases.push_back({id, Theme::Dark, 1});
  for (const char* id : {"profile", "quintiles"}) {
    cases.push_back({id});
    cases.back().groups = true;
  }
  for (const char* id :
       {"ab-scatter", "map", "profile", "PCA-03", "head-grid", "head-metrics", "text", "keys"})
    cases.push_back({id, Theme::Dark, figureKind(id).published ? 0U : 1U});
  for (const char* id : {"compare-matrix", "loss"}) cases.push_back({id, Theme::Dark, 3});
  for (const RowColour colour : {RowColour::Text, RowColour::Norm, RowColour::Quintile})
    cases.push_back({"ab-scatter", Theme::Light, 1, colour});
  cases.push_back({"ab-scatter", Theme::Dark, 1, RowColour::Text});
  for (const char* id : {"profile-quintiles", "map", "head-grid", "compare"}) {
    const std::size_t studies = id == std::string("compare") ? 3 : 1;
    for (const ApKind kind : {ApKind::Aligned, ApKind::Binned})
      cases.push_back({id, Theme::Light, studies, RowColour::Position, kind, true});
  }
  for (const char* id : {"profile-quintiles", "placement", "salience", "softmax", "doses"})
    cases.push_back({id, Theme::Dark, 1, RowColour::Position, ApKind::Aligned, true});
  return cases;
}

// Name of the plot, which is the same in every theme.
std::string plotName(const FigureCase& picture) {
  const bool both = picture.aligned && figureKind(picture.figure).takes("plasticity");
  return picture.figure + (picture.groups ? "-groups" : "") + (both ? "-" + nameOf(picture.plasticity) : "") +
         (picture.colour == RowColour::Position ? "" : "-" + nameOf(picture.colour));
}

std::string caseName(const FigureCase& picture) {
  return plotName(picture) + (picture.theme == Theme::Dark ? "-dark" : "");
}

QString drawnWith() {
  return QStringLiteral("Qt %1, %2").arg(QString::fromLatin1(qVersion()), printSerif());
}

QImage pictureOf(const FigureContent& content, const FigureSpec& spec) {
  QImage picture = renderPreview(content, spec, 100);
  picture.setText(QStringLiteral("Drawn with"), drawnWith());
  return picture;
}

// Empty when the pictures are similar enough.
std::string difference(const QImage& actual, const QImage& baseline) {
  if (baseline.text(QStringLiteral("Drawn with")) == drawnWith()) {
    const double most = test::largestDifference(actual, baseline);
    return most <= kMaxDifference ? "" : "differs from its baseline by " + std::to_string(most);
  }
  const double alike = test::similarity(actual, baseline);
  return alike >= kAlike ? "" : "similarity to its baseline " + std::to_string(alike);
}

QString kept(const std::string& name, const char* extension) {
  QDir().mkpath(PLASTISCOPE_FIGURE_ACTUAL);
  return QDir(PLASTISCOPE_FIGURE_ACTUAL).filePath(QString::fromStdString(name) + extension);
}

QString baselineOf(const std::string& name, const char* extension) {
  return QDir(PLASTISCOPE_FIGURE_BASELINES).filePath(QString::fromStdString(name) + extension);
}

class FigurePicture : public testing::TestWithParam<FigureCase> {};

}  // namespace

TEST_P(FigurePicture, LooksLikeItsBaseline) {
  const FigureSpec spec = test::specOf(GetParam());
  const QImage actual = pictureOf(prepareFigure(test::studiesOf(GetParam()), spec), spec);
  const std::string found = difference(actual, QImage(baselineOf(caseName(GetParam()), ".png")));
  if (found.empty()) return;
  const QString file = kept(caseName(GetParam()), ".png");
  actual.save(file);
  FAIL() << found << "; actual picture: " << file.toStdString();
}

TEST_P(FigurePicture, PlotTextEqualsItsBaseline) {
  const FigureContent content = prepareFigure(test::studiesOf(GetParam()), test::specOf(GetParam()));
  const std::string actual = test::plotText(content.plot);
  const QString baseline = baselineOf(plotName(GetParam()), ".txt");
  if (QFileInfo::exists(baseline) && readFile(baseline.toStdString()) == actual) return;
  const QString file = kept(plotName(GetParam()), ".txt");
  writeFileAtomically(file.toStdString(), actual);
  FAIL() << "the plot differs from " << baseline.toStdString() << "; actual plot: " << file.toStdString();
}

INSTANTIATE_TEST_SUITE_P(All, FigurePicture, testing::ValuesIn(pictureCases()), [](const auto& of) {
  std::string name = caseName(of.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Faults that both the plot text and the picture must show.
class PlantedFault : public testing::TestWithParam<std::pair<const char*, void (*)(Plot&)>> {};

TEST_P(PlantedFault, ChangesThePlotTextAndThePicture) {
  const FigureSpec spec = test::specOf({"compare", Theme::Light, 3});
  const FigureContent right = prepareFigure(test::figureStudies(3), spec);
  FigureContent wrong = right;
  GetParam().second(wrong.plot);
  EXPECT_NE(test::plotText(wrong.plot), test::plotText(right.plot));
  const QImage baseline = pictureOf(right, spec);
  EXPECT_EQ(difference(pictureOf(right, spec), baseline), "");
  EXPECT_NE(difference(pictureOf(wrong, spec), baseline), "");
}

namespace {

// The last curve of the first box.
std::size_t lastLine(const Plot& plot) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < plot.boxes.front().marks.size(); ++i)
    if (std::holds_alternative<LineMark>(plot.boxes.front().marks[i].kind)) found = i;
  return found;
}

void changeColour(Plot& plot) {
  auto& line = std::get<LineMark>(plot.boxes.front().marks[lastLine(plot)].kind);
  line.stroke.colour = line.marker->colour = Ink::Selection;
}

void dropSeries(Plot& plot) {
  auto& marks = plot.boxes.front().marks;
  marks.erase(marks.begin() + static_cast<std::ptrdiff_t>(lastLine(plot)));
}

void shiftLabels(Plot& plot) {
  plot.boxes.back().x.places = {0.06, 1.06, 2.06, 3.06, 4.06};
}

void otherNumbers(Plot& plot) {
  auto& line = std::get<LineMark>(plot.boxes.front().marks[lastLine(plot)].kind);
  std::rotate(line.y.begin(), line.y.begin() + 3, line.y.end());
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(All, PlantedFault,
                         testing::Values(std::pair<const char*, void (*)(Plot&)>{"ChangedColour",
                                                                                 changeColour},
                                         std::pair<const char*, void (*)(Plot&)>{"MissingSeries", dropSeries},
                                         std::pair<const char*, void (*)(Plot&)>{"ShiftedLabel", shiftLabels},
                                         std::pair<const char*, void (*)(Plot&)>{"OtherHead", otherNumbers}),
                         [](const auto& of) { return std::string(of.param.first); });

TEST(PictureSimilarity, DistinguishesFigures) {
  const auto study = test::figureStudy();
  const auto draw = [&](const std::string& id, HeadName head) {
    FigureSpec spec = test::specOf({"map"});
    spec.figure = id;
    spec.scope.head = head;
    return renderPreview(prepareFigure({study}, spec), spec, 100);
  };
  const QImage map = draw("map", {4, 2});
  EXPECT_DOUBLE_EQ(test::similarity(map, map), 1);
  EXPECT_LT(test::similarity(map, draw("profile", {4, 2})), kAlike);
  EXPECT_EQ(test::similarity(map, map.copy(0, 0, map.width(), map.height() / 2)), 0);
  // A picture whose lower half is missing.
  QImage half = map;
  for (int y = half.height() / 2; y < half.height(); ++y) {
    for (int x = 0; x < half.width(); ++x) half.setPixel(x, y, qRgb(255, 255, 255));
  }
  EXPECT_LT(test::similarity(map, half), kAlike);
}

}  // namespace plastiscope
