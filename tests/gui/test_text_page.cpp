// The text panel of a capture: a click on a token, the keys of its query, search.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <map>

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
    EXPECT_TRUE(test::waitFor([this] { return view->message().isEmpty(); }));  // read when the view is shown
  }
  void click(std::int64_t position) {
    view->show(position);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->rectOf(position).center().toPoint());
    settle();
  }
  const SelectedRows* rows() { return page->selection().value().rows.get(); }
  QString status() {
    test::settleEvents();  // the text is elided
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

  // The list shows the keys of makeQueryScores, highest score first.
  const QueryScores scores = makeQueryScores(*study, kHead, head.query.row[middle]);
  auto* list = find<QTableView>("strongestList");
  EXPECT_TRUE(test::waitFor([list] { return list->isVisible(); }));  // read when the list is painted
  ASSERT_EQ(list->model()->rowCount(), static_cast<int>(scores.keys.size()));
  const ScoredKey& best = scores.keys[scores.strongest(1).front()];
  EXPECT_EQ(list->model()->index(0, 1).data().toString(), groupedText(best.position));
  EXPECT_TRUE(find<FigureView>("strongestPlot")->shownPlot());

  // The arrow keys move from row to row.
  QTest::keyClick(view, Qt::Key_Right);
  settle();
  ASSERT_NE(rows(), nullptr);
  EXPECT_EQ(rows()->query, std::vector<std::int64_t>{head.query.row[middle + 1]});
}

TEST_F(TextPageTest, ARowChosenElsewhereShowsItsText) {
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
  EXPECT_TRUE(status().startsWith(QStringLiteral("match 1 of %1").arg(places.size())))
      << status().toStdString();
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_TRUE(status().startsWith(QStringLiteral("match 2 of"))) << status().toStdString();
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

TEST_F(TextPageTest, TokenAtFindsTheTokenAtItsRect) {
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

// The example with L16H4 at every position; each token repeats the sampled row before it.
class AtEveryPosition : public CaptureFile {
 public:
  explicit AtEveryPosition(std::shared_ptr<const CaptureFile> capture)
      : m_capture(std::move(capture)), m_info(m_capture->info()) {
    for (CaptureLayerInfo& layer : m_info.layerInfos) {
      if (layer.layer != 16) continue;
      layer.denseQueryHeads = {4};
      layer.denseKeyHeads = {1};
    }
  }
  const CaptureInfo& info() const override { return m_info; }
  const std::filesystem::path& path() const override { return m_capture->path(); }
  CapturedRows rows(const RowPlace& place) const override { return m_capture->rows(place); }
  bool hasTexts() const override { return true; }
  std::vector<std::string> tokenTexts(std::int64_t example) const override {
    return m_capture->tokenTexts(example);
  }
  CapturedRows denseRows(const RowPlace& place, std::int64_t example) const override {
    const RowSet set = place.set == RowSet::DenseQuery ? RowSet::Query : RowSet::Key;
    const CapturedRows some = m_capture->rows({place.layer, place.head, set});
    std::map<std::int32_t, std::size_t> at;
    for (std::size_t i = 0; i < some.position.size(); ++i) {
      if (some.example[i] == example) at[some.position[i]] = i;
    }
    CapturedRows all;
    all.headDim = some.headDim;
    for (std::int32_t t = 0; t < m_info.examples[static_cast<std::size_t>(example)].tokens; ++t) {
      const auto behind = at.upper_bound(t);
      const std::size_t row = behind == at.begin() ? behind->second : std::prev(behind)->second;
      const auto first = some.vectors.begin() + static_cast<std::ptrdiff_t>(row) * some.headDim;
      all.position.push_back(t);
      all.example.push_back(static_cast<std::int32_t>(example));
      all.bucket.push_back(0);
      all.vectors.insert(all.vectors.end(), first, first + some.headDim);
    }
    return all;
  }

 private:
  std::shared_ptr<const CaptureFile> m_capture;
  CaptureInfo m_info;
};

TEST_F(TextPageTest, AnyTokenOfADenseHeadCanBeTheQuery) {
  auto dense = std::make_shared<Study>(*study);
  dense->capture = std::make_shared<AtEveryPosition>(study->capture);
  page->model().setStudy(dense);
  settle();
  const HeadText sampled = makeHeadText(*study, kHead, 0);
  std::int64_t token = sampled.query.position[sampled.query.position.size() / 2] + 1;
  while (sampled.query.at(token) || sampled.query.at(token + 1)) ++token;
  click(token);
  EXPECT_EQ(rows(), nullptr) << "no row of the other views";
  auto* list = find<QTableView>("strongestList");
  EXPECT_TRUE(test::waitFor([list] { return list->isVisible(); }));
  EXPECT_EQ(list->model()->rowCount(), token + 1) << "all keys up to it";
  QTest::keyClick(view, Qt::Key_Right);
  settle();
  EXPECT_TRUE(test::waitFor([list, token] { return list->model()->rowCount() == token + 2; }));

  // A head without all positions has no keys for the token; a chosen row replaces it.
  page->selection().setHead({16, 3});
  settle();
  EXPECT_EQ(list->model()->rowCount(), 0);
  page->selection().setHead(kHead);
  settle();
  EXPECT_EQ(list->model()->rowCount(), token + 2);
  page->selection().setRows({sampled.query.row.front()}, {});
  settle();
  EXPECT_EQ(list->model()->rowCount(), sampled.query.position.front() + 1);
}

TEST_F(TextPageTest, EscEmptiesTheFieldOfWordsAndGoesBackToTheText) {
  auto* field = find<QLineEdit>("textFind");
  field->setFocus();
  field->setText(QStringLiteral("license"));
  QTest::keyClick(field, Qt::Key_Escape);
  EXPECT_TRUE(field->text().isEmpty());
  EXPECT_TRUE(status().startsWith(QStringLiteral("tokens "))) << status().toStdString();
}

TEST_F(TextPageTest, ReportsAMissingCapture) {
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
