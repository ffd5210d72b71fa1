// Every figure of the list against its baseline. A new or changed figure: look at the actual picture that the
// failure names, then copy it over the baseline.
#include <gtest/gtest.h>

#include <QDir>
#include <QFileInfo>

#include "figures/figure_cases.h"
#include "figures/figure_study.h"
#include "figures/picture_compare.h"
#include "widgets/export/figure_renderer.h"

namespace plastiscope {

namespace {

constexpr double kAlike = 0.84;  // measured: another serif font stays above, a missing part falls below

using test::FigureCase;

std::vector<FigureCase> pictureCases() {
  std::vector<FigureCase> cases = test::figureCases();
  for (const char* id : {"ab-scatter", "map", "profile", "PCA-03"})
    cases.push_back({id, Theme::Dark, figureKind(id).published ? 0U : 1U});
  return cases;
}

std::string caseName(const FigureCase& picture) {
  return picture.figure + (picture.theme == Theme::Dark ? "-dark" : "");
}

class FigurePicture : public testing::TestWithParam<FigureCase> {};

}  // namespace

TEST_P(FigurePicture, LooksLikeItsBaseline) {
  const auto studies = test::figureStudies(GetParam().studies);
  const FigureSpec spec = test::specOf(GetParam());
  const QImage actual = renderPreview(prepareFigure(studies, spec), spec, 100);
  const QString name = QString::fromStdString(caseName(GetParam())) + ".png";
  const QImage baseline(QDir(PLASTISCOPE_FIGURE_BASELINES).filePath(name));
  const double alike = test::similarity(actual, baseline);
  if (alike >= kAlike) return;
  const QString kept = QDir(PLASTISCOPE_FIGURE_ACTUAL).filePath(name);
  QDir().mkpath(PLASTISCOPE_FIGURE_ACTUAL);
  actual.save(kept);
  FAIL() << "similarity " << alike << " to the baseline, expected at least " << kAlike
         << "; actual picture: " << kept.toStdString();
}

INSTANTIATE_TEST_SUITE_P(All, FigurePicture, testing::ValuesIn(pictureCases()), [](const auto& of) {
  std::string name = caseName(of.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(PictureSimilarity, TellsFiguresApart) {
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
