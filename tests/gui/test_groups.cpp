// Groups of heads in the window: made, kept, drawn, compared, offered to other captures.
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "core/base/json.h"
#include "core/views/group_statistics.h"
#include "figures/figure_study.h"
#include "gui/page_fixture.h"
#include "support/temporary_folder.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/panels/group_list.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/profile_view.h"
#include "widgets/plots/qcp.h"
#include "widgets/state/group_index.h"

namespace plastiscope {
namespace {

using Heads = std::vector<HeadName>;
const Heads kLayerSix = {{6, 0}, {6, 1}, {6, 2}, {6, 3}, {6, 4}, {6, 5}};

class GroupsTest : public test::PageTest {
 protected:
  void SetUp() override { open(test::figureStudy(120), folder / "study.h5", {4, 2}); }
  const ViewSelection& now() const { return page->selection().value(); }
  // Filters the head table and makes a group of the matching heads.
  void group(const char* filter) {
    auto* field = find<QLineEdit>("headFilter");
    field->setText(QString::fromLatin1(filter));
    QTest::keyClick(field, Qt::Key_Return);
    find<QPushButton>("groupMatching")->click();
    settle();
  }
  QString sentence() { return find<QLabel>("groupSentence")->text(); }
  // The entry of a menu that begins with this text.
  static QAction* entry(QMenu& menu, const QString& begin) {
    Q_EMIT menu.aboutToShow();
    for (QAction* action : menu.actions()) {
      if (action->text().startsWith(begin)) return action;
    }
    ADD_FAILURE() << begin.toStdString();
    return nullptr;
  }
  test::TemporaryFolder folder;
};

TEST_F(GroupsTest, AFilterBecomesAComparedGroup) {
  group("layer == 6");
  ASSERT_EQ(now().groups.size(), 1U);
  const HeadGroup made = now().groups.front();
  EXPECT_EQ(made.name, "layer");
  EXPECT_EQ(made.heads, kLayerSix);
  EXPECT_EQ(made.origin, "layer == 6");
  EXPECT_EQ(now().several, kLayerSix) << "its heads are selected";
  EXPECT_TRUE(find<GroupListView>("groupList")->isVisible()) << "its panel is in front";

  // Alone in its layer it cannot be compared with heads of that layer.
  EXPECT_FALSE(sentence().isEmpty());
  auto* against = find<QComboBox>("groupAgainst");
  against->setCurrentIndex(against->findData(QStringLiteral("rest")));
  Q_EMIT against->activated(against->currentIndex());
  settle();
  const Table& heads = *page->study().analysis->find("heads");
  GroupOptions options;
  options.against = GroupAgainst::Rest;
  const auto contrasts = groupContrasts(heads, made, options);
  const auto of = [&](const std::string& metric) {
    return *std::ranges::find(contrasts, metric, &GroupContrast::metric);
  };
  EXPECT_EQ(sentence().toStdString(), contrastSentence(of(now().metric)));
  const auto* table = find<QTableView>("groupContrasts");
  ASSERT_EQ(table->model()->rowCount(), std::ssize(contrasts));
  const QModelIndex last = table->model()->index(table->model()->rowCount() - 1, 0);
  find<QTableView>("groupContrasts")->selectRow(last.row());
  settle();
  EXPECT_EQ(now().metric, contrasts.back().metric);
  EXPECT_EQ(sentence().toStdString(), contrastSentence(contrasts.back()));

  page->selection().setFilter("group:layer && head < 2");
  EXPECT_EQ(find<QTableView>("headTable")->model()->rowCount(), 2);
}

TEST_F(GroupsTest, AreRenamedDeletedAndRestored) {
  group("layer == 6");
  group("layer == 3");
  auto* list = find<GroupListView>("groupList");
  ASSERT_EQ(list->model()->rowCount(), 2);
  const QModelIndex second = list->model()->index(1, GroupTable::NameColumn);
  EXPECT_EQ(second.data().toString(), QStringLiteral("layer-2"));
  EXPECT_EQ(list->currentIndex().row(), 1);
  EXPECT_FALSE(list->model()->setData(second, QStringLiteral("layer"), Qt::EditRole)) << "the name is taken";
  EXPECT_TRUE(list->model()->setData(second, QStringLiteral("third"), Qt::EditRole));
  EXPECT_EQ(now().group, "third");
  EXPECT_TRUE(list->model()->setData(second, Qt::Unchecked, Qt::CheckStateRole));
  EXPECT_EQ(now().shownGroups, std::vector<std::string>{"layer"});
  ViewSelection restored = ViewSelection::fromJson(now().toJson());
  restored.useGroups(now().groups);
  EXPECT_EQ(restored, now()) << "a session keeps the shown and the compared group";

  QTest::keyClick(list, Qt::Key_Delete);
  ASSERT_EQ(now().groups.size(), 1U);
  EXPECT_EQ(page->notes().notes().groups, now().groups);
  page->selection().undo();
  EXPECT_EQ(now().groups.back().name, "third");
  EXPECT_EQ(page->notes().notes().groups, now().groups);
}

TEST_F(GroupsTest, AreDrawnWithHeadsAndProfile) {
  const auto picture = [this] {
    settle();
    return find<HeadGridView>("headGrid")->grab().toImage();
  };
  page->selection().setSeveral(kLayerSix);
  const QImage before = picture();
  entry(*find<QPushButton>("newGroupButton")->menu(), QStringLiteral("Selected heads"))->trigger();
  const QImage outlined = picture();
  EXPECT_NE(outlined, before);
  EXPECT_TRUE(find<QLabel>("groupLegend")->text().contains(QStringLiteral("group&nbsp;(6)")));
  const auto hasEntry = [](const PlotView& view) {
    return std::ranges::count(view.shownPlot()->legend, "group", &LegendEntry::text) == 1;
  };
  page->showView(QStringLiteral("headMetricsDock"));
  settle();
  EXPECT_TRUE(hasEntry(*find<HeadPointsView>("headPoints")));
  page->selection().setSeveral({});
  settle();
  EXPECT_TRUE(std::ranges::any_of(find<ProfileView>("profile")->shownPlot()->legend,
                                  [](const LegendEntry& each) { return each.text == "mean of group"; }));

  // A head of the context menu joins the group, and leaves it again.
  page->selection().setHead({7, 0});
  auto* grid = find<HeadGridView>("headGrid");
  QMenu* add = nullptr;
  for (QAction* action : grid->actions()) {
    if (action->text() == QStringLiteral("Add to group")) add = action->menu();
  }
  ASSERT_NE(add, nullptr);
  entry(*add, QStringLiteral("group"))->trigger();
  EXPECT_EQ(now().groups.front().heads.size(), 7U);
  entry(*add, QStringLiteral("group"))->trigger();
  EXPECT_EQ(now().groups.front().heads, kLayerSix);
}

// No view shows one head under the title of several, or a mean under that of a head.
TEST_F(GroupsTest, TitlesNameTheHeadsOfEachView) {
  group("layer == 6");
  const auto titleOf = [this](const QString& dock) {
    auto* bar = &page->findChild<PanelDock*>(dock)->bar();
    return bar->findChild<QLabel*>(QStringLiteral("panelTitleText"))->toolTip();
  };
  auto* details = find<QTabWidget>("details");
  for (const ViewSpec& view : viewCatalogue()) {
    if (view.area == StripArea) continue;
    page->showView(view.id);
    settle();
    const QString title = titleOf(view.area == DetailsArea ? QStringLiteral("detailsDock") : view.id);
    const bool mean = title.contains(QStringLiteral("ean of layer (6 heads)")),
               one = title.contains(QStringLiteral("L6 H0, one of 6 selected"));
    EXPECT_EQ(mean, view.heads == ViewHeads::Mean) << title.toStdString();
    EXPECT_EQ(one, view.heads == ViewHeads::One) << title.toStdString();
  }
  EXPECT_TRUE(find<QLabel>("headSentence")->text().contains(QStringLiteral("Mean of layer (6 heads)")));
  page->selection().setSeveral({});
  details->setCurrentIndex(0);
  EXPECT_EQ(titleOf(QStringLiteral("detailsDock")), QStringLiteral("L6 H0 details"));
  EXPECT_EQ(titleOf(QStringLiteral("planeDock")), QStringLiteral("{a, b} plane"));
}

TEST(GroupIndex, OffersGroupsOfTheSameModel) {
  const test::TemporaryFolder folder;
  GroupIndex index(folder.path());
  StudyFacts facts;
  facts.model = "SmolLM2";
  facts.layers = 30;
  facts.queryHeads = 9;
  const HeadGroups groups = {{"induction", "#0072b2", {{3, 1}, {5, 2}}, "induction_score > 0.3"}};
  index.remember(facts, "/data/a.h5", groups);
  EXPECT_TRUE(index.offersFor(facts, "/data/a.h5").empty()) << "not to itself";
  const auto offers = GroupIndex(folder.path()).offersFor(facts, "/data/b.h5");
  ASSERT_EQ(offers.size(), 1U);
  EXPECT_EQ(offers.front().file, std::filesystem::path("/data/a.h5"));
  EXPECT_EQ(offers.front().groups, groups);
  StudyFacts other = facts;
  other.layers = 24;
  EXPECT_TRUE(index.offersFor(other, "/data/b.h5").empty());
  index.remember(facts, "/data/a.h5", {});
  EXPECT_TRUE(index.offersFor(facts, "/data/b.h5").empty()) << "deleted groups are not offered";
}

TEST_F(GroupsTest, OfAnotherCaptureAreTaken) {
  const auto study = test::figureStudy(120);
  std::filesystem::create_directory(folder / "settings");
  GroupIndex(folder / "settings")
      .remember(factsOf(*study), folder / "first.h5", {{"sixth", "#0072b2", kLayerSix}});
  page = std::make_unique<ModelPage>(ModelTab{study, folder / "second.h5"},
                                     PageServices{workers, ranges, folder / "settings"});
  page->resize(1500, 900);
  page->show();
  settle();
  page->showView(QStringLiteral("groupsDock"));
  settle();
  auto* offer = find<QPushButton>("groupOffer");
  EXPECT_EQ(offer->text(), QStringLiteral("Add group sixth of first.h5"));
  offer->click();
  ASSERT_EQ(now().groups.size(), 1U);
  EXPECT_EQ(now().groups.front().heads, kLayerSix);
  EXPECT_FALSE(offer->isVisible());
}

}  // namespace
}  // namespace plastiscope
