// The text of a capture as a person reads it: a click on a token, the keys of its query, words that are
// looked for.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "core/jobs/inspect_job.h"
#include "core/views/text_data.h"
#include "gui/page_fixture.h"
#include "widgets/panels/text_view.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/file_text.h"

namespace plastiscope {
namespace {

class TextPageTest : public test::PageTest {
 protected:
  static constexpr HeadName kHead{16, 4};

  TextPageTest() {
    page->showView(QStringLiteral("textDock"));
    settle();
    view = page->findChild<TextView*>();
    EXPECT_TRUE(test::waitFor([this] { return view->message().isEmpty(); }));  // read once it is seen
  }
  void click(std::int64_t position) {
    view->show(position);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->rectOf(position).center().toPoint());
    settle();
  }
  const SelectedRows* rows() { return page->selection().value().rows.get(); }
  QString status() {
    test::settleEvents();  // it is cut to its room
    return find<QLabel>("textStatus")->text();
  }

  std::shared_ptr<const Study> study = openExample(kHead);
  TextView* view = nullptr;
};

TEST_F(TextPageTest, AClickOnACapturedTokenSelectsItsRowEverywhere) {
  const HeadText head = makeHeadText(*study, kHead, 0);
  const std::size_t middle = head.query.row.size() / 2;
  click(head.query.position[middle]);
  ASSERT_NE(rows(), nullptr);
  EXPECT_EQ(rows()->query, std::vector<std::int64_t>{head.query.row[middle]});
  EXPECT_TRUE(rows()->key.empty());

  // Its keys, highest first, as makeQueryScores has them.
  const QueryScores scores = makeQueryScores(*study, kHead, head.query.row[middle]);
  auto* list = find<QTableView>("strongestList");
  EXPECT_TRUE(test::waitFor([list] { return list->isVisible(); }));  // read once it is painted
  ASSERT_EQ(list->model()->rowCount(), static_cast<int>(scores.keys.size()));
  const ScoredKey& best = scores.keys[scores.strongest(1).front()];
  EXPECT_EQ(list->model()->index(0, 1).data().toString(), groupedText(best.position));
  EXPECT_TRUE(find<FigureView>("strongestPlot")->shownPlot());

  // From row to row by the arrow keys.
  QTest::keyClick(view, Qt::Key_Right);
  settle();
  ASSERT_NE(rows(), nullptr);
  EXPECT_EQ(rows()->query, std::vector<std::int64_t>{head.query.row[middle + 1]});
}

TEST_F(TextPageTest, ARowChosenElsewhereBringsItsText) {
  const PlaneRows& queries = page->model().views()->plane->query;
  std::size_t row = 0;
  while (queries.example[row] == 0) ++row;
  page->selection().setRows({static_cast<std::int64_t>(row)}, {});
  settle();
  EXPECT_EQ(find<QComboBox>("textChoice")->currentIndex(), queries.example[row]);
  const auto [first, last] = view->seen();
  EXPECT_GE(queries.position[row], first);
  EXPECT_LT(queries.position[row], last);
}

TEST_F(TextPageTest, WordsAndPositionsAreFound) {
  auto* field = find<QLineEdit>("textFind");
  field->setText(QStringLiteral("license"));
  const auto places = findWords(makeTextDocument("", study->capture->tokenTexts(0)), "license");
  ASSERT_GT(places.size(), 2u);
  EXPECT_TRUE(status().startsWith(QStringLiteral("place 1 of %1").arg(places.size())))
      << status().toStdString();
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_TRUE(status().startsWith(QStringLiteral("place 2 of"))) << status().toStdString();
  field->setText(QStringLiteral("1,500"));
  EXPECT_LE(view->seen().first, 1500);
  EXPECT_GT(view->seen().second, 1500);
  field->setText(QStringLiteral("no such words"));
  EXPECT_TRUE(status().startsWith(QStringLiteral("not found"))) << status().toStdString();
}

TEST_F(TextPageTest, ALowPanelListsKeysInsteadOfDrawingThem) {
  const HeadText head = makeHeadText(*study, kHead, 0);
  click(head.query.position[head.query.row.size() / 2]);
  auto* list = find<QTableView>("strongestList");
  auto* plot = find<FigureView>("strongestPlot");
  EXPECT_TRUE(test::waitFor([list, plot] { return list->isVisible() && plot->isVisible(); }));
  page->resize(1024, 560);
  settle();
  EXPECT_FALSE(plot->isVisible());
  const int row = list->rowHeight(0);
  EXPECT_GE(list->viewport()->height() / row, 2);
  page->resize(1500, 900);
  settle();
  EXPECT_TRUE(plot->isVisible());
}

TEST_F(TextPageTest, ANarrowPanelNamesTheTextAndTheTokensInFull) {
  page->resize(1024, 560);
  settle();
  view->show(1000);
  const auto [first, last] = view->seen();
  EXPECT_TRUE(
      status().startsWith(QStringLiteral("tokens %1–%2: ").arg(groupedText(first), groupedText(last - 1))))
      << status().toStdString();
  EXPECT_FALSE(status().contains(QStringLiteral("…"))) << status().toStdString();
  const auto* texts = find<QComboBox>("textChoice");
  QStyleOptionComboBox option;
  option.initFrom(texts);
  const QRect room =
      texts->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, texts);
  EXPECT_GE(room.width(), texts->fontMetrics().horizontalAdvance(texts->currentText()));
}

TEST_F(TextPageTest, EachTokenStandsWhereItIsFoundAgain) {
  const auto tokens = static_cast<std::int64_t>(study->capture->tokenTexts(0).size());
  for (const std::int64_t position : {std::int64_t{0}, tokens / 3, tokens - 1}) {
    view->show(position);
    const QRectF place = view->rectOf(position);
    if (place.width() > 0) {
      EXPECT_EQ(view->tokenAt(place.center().toPoint()), position);
    }
  }
  EXPECT_EQ(view->tokenAt({-5, 3}), std::nullopt);
}

TEST_F(TextPageTest, PlasticityOfRowsColoursThem) {
  auto* measure = find<QComboBox>("textMeasure");
  measure->setCurrentIndex(measure->findText(QStringLiteral("PP")));
  settle();
  HeadText expected = makeHeadText(*study, kHead, 0);
  addPlasticity(expected, inspectRows(*study->capture, kHead, settingsOf(*study->analysis), Progress()));
  EXPECT_EQ(view->range(), valueRange(expected.query, TokenMeasure::Plasticity));
  EXPECT_GE(view->range().first, 0);
  EXPECT_LE(view->range().second, 1);
  find<QComboBox>("textKind")->setCurrentIndex(1);
  settle();
  EXPECT_EQ(view->range(), valueRange(expected.key, TokenMeasure::Plasticity));
}

TEST_F(TextPageTest, ScoresOfTheChosenQueryColourTheKeysBeforeIt) {
  auto* measure = find<QComboBox>("textMeasure");
  measure->setCurrentIndex(measure->findText(QStringLiteral("score")));
  settle();
  EXPECT_FALSE(find<QComboBox>("textKind")->isEnabled());
  EXPECT_TRUE(status().startsWith(QStringLiteral("click a query"))) << status().toStdString();
  HeadText expected = makeHeadText(*study, kHead, 0);
  const std::int64_t row = expected.query.row[expected.query.row.size() / 2];
  click(expected.query.position[expected.query.row.size() / 2]);
  ASSERT_NE(rows(), nullptr);
  EXPECT_EQ(rows()->query, std::vector<std::int64_t>{row}) << "a click chooses the query";
  addScores(expected, makeQueryScores(*study, kHead, row));
  EXPECT_EQ(view->range(), valueRange(expected.key, TokenMeasure::Score));
  EXPECT_TRUE(status().startsWith(QStringLiteral("tokens"))) << status().toStdString();
}

TEST_F(TextPageTest, WithoutACaptureItSaysSo) {
  Study alone = *study;
  alone.capture = nullptr;
  page->model().setStudy(std::make_shared<Study>(alone));
  settle();
  EXPECT_TRUE(view->message().contains(QStringLiteral("only its analysis"))) << view->message().toStdString();
  click(0);
  EXPECT_EQ(rows(), nullptr);
}

}  // namespace
}  // namespace plastiscope
