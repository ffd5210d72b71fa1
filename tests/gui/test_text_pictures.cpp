// Compares images of the text view and the tour with their baselines in both themes. After an intended
// change, check the actual image that the failure names and copy it over the baseline.
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <cmath>

#include "figures/picture_compare.h"
#include "gui/wait_for.h"
#include "widgets/pages/tour.h"
#include "widgets/panels/text_view.h"
#include "widgets/state/theme.h"

namespace plastiscope {
namespace {

// Largest difference with the same Qt and font; least similarity with others.
constexpr double kMaxDifference = 6, kAlike = 0.7;

QString drawnWith() {
  return QStringLiteral("Qt %1, %2").arg(QString::fromLatin1(qVersion()), QFontInfo(qApp->font()).family());
}

// Shows captured rows, a query with its strongest keys, search hits and the end of a paragraph.
void fill(TextView& view, TokenMeasure measure) {
  std::vector<std::string> tokens;
  for (int i = 0; i < 600; ++i)
    tokens.push_back(i % 41 == 40 ? ".\n\n" : i % 7 == 3 ? "ing" : " word" + std::to_string(i % 13));
  auto head = std::make_shared<HeadText>();
  for (auto [rows, first, step] : {std::tuple(&head->query, 2, 9), std::tuple(&head->key, 5, 11)}) {
    for (int at = first; at < 600; at += step) {
      rows->row.push_back(at / step);
      rows->position.push_back(at);
      rows->a.push_back(static_cast<float>(at));
      rows->score.push_back(at < 120 ? static_cast<float>(std::sin(at)) : NAN);
    }
  }
  head->scoredBy = 119;
  head->strongest = {16, 27, 38};
  view.setPage({std::make_shared<const TextDocument>(makeTextDocument("formula", tokens)), head,
                measure == TokenMeasure::Score ? QueryOrKey::Key : QueryOrKey::Query, measure});
  view.setSelected({119}, {});
  view.setFound({{50, 51}});
}

// Compares the image with the baseline of this name.
void expectBaseline(QImage actual, const char* baselineName) {
  actual.convertTo(QImage::Format_RGB32);
  actual.setText(QStringLiteral("Drawn with"), drawnWith());
  const QString name = QString::fromLatin1(baselineName) + QStringLiteral(".png");
  const QImage baseline(QDir(QStringLiteral(PLASTISCOPE_TEXT_BASELINES)).filePath(name));
  const bool sameMeans = baseline.text(QStringLiteral("Drawn with")) == drawnWith();
  if (sameMeans && test::largestDifference(actual, baseline) <= kMaxDifference) return;
  if (!sameMeans && !baseline.isNull() && test::similarity(actual, baseline) >= kAlike) return;
  QDir().mkpath(QStringLiteral(PLASTISCOPE_TEXT_ACTUAL));
  const QString file = QDir(QStringLiteral(PLASTISCOPE_TEXT_ACTUAL)).filePath(name);
  actual.save(file);
  ADD_FAILURE() << "differs from its baseline; actual picture: " << file.toStdString();
}

struct TextPicture {
  const char* name;
  const char* theme;
  TokenMeasure measure;
};
class TextPictures : public testing::TestWithParam<TextPicture> {};

TEST_P(TextPictures, LookLikeTheirBaselines) {
  applyTheme(*qApp, QString::fromLatin1(GetParam().theme));
  TextView view;
  view.resize(620, 400);
  fill(view, GetParam().measure);
  const QImage actual = view.grab().toImage();
  applyTheme(*qApp, QStringLiteral("light"));
  expectBaseline(actual, GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(All, TextPictures,
                         testing::Values(TextPicture{"text", "light", TokenMeasure::A},
                                         TextPicture{"text-dark", "dark", TokenMeasure::A},
                                         TextPicture{"text-score", "light", TokenMeasure::Score}),
                         [](const auto& of) {
                           std::string name = of.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

class TourPictures : public testing::TestWithParam<const char*> {};

TEST_P(TourPictures, LookLikeTheirBaselines) {
  applyTheme(*qApp, QString::fromLatin1(GetParam()));
  QWidget window;
  window.resize(620, 300);
  QWidget panel(&window);
  panel.setGeometry(10, 10, 240, 280);
  window.show();
  TourCard card([&panel](const QString&) { return &panel; }, &window);
  card.go(1);
  test::settleEvents();
  const QImage actual = window.grab().toImage();
  applyTheme(*qApp, QStringLiteral("light"));
  expectBaseline(actual, std::string_view(GetParam()) == "dark" ? "tour-dark" : "tour");
}

INSTANTIATE_TEST_SUITE_P(All, TourPictures, testing::Values("light", "dark"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace plastiscope
