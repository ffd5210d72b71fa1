// Studies with damaged or missing parts: their views show the error, all others show data.
#include <QLabel>
#include <QTableView>
#include <QTest>

#include "widgets/panels/view_panel.h"
#include "core/jobs/study_job.h"
#include "figures/figure_study.h"
#include "gui/window_fixture.h"
#include "support/run_program.h"
#include "widgets/models/head_table_model.h"
#include "widgets/pages/model_page.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/plane_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/plots/profile_view.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;

class DamagedStudy : public test::WindowFixture {
 protected:
  // A capture whose key head 0 of layer 0 was changed after its checksum was taken; all three query heads of
  // the layer use it.
  fs::path damaged() const { return fs::path(PLASTISCOPE_TEST_DATA) / "store" / "damaged_key.h5"; }
  fs::path intact() const { return fs::path(PLASTISCOPE_TEST_DATA) / "store" / "checked.h5"; }

  ModelPage& open(const fs::path& file) {
    renew();
    window->openPaths({file});
    EXPECT_TRUE(test::waitFor([this] { return tabs().findChild<ModelPage*>() != nullptr; }));
    settle();
    return *tabs().findChild<ModelPage*>();
  }
  template <typename View>
  QString messageOf(ModelPage& page, const char* name) {
    auto* view = page.findChild<View*>(QString::fromLatin1(name));
    return view ? view->message() : QStringLiteral("no such view");
  }
};

const QString kDataset = QStringLiteral("/layers/00/key/vectors/00 (key head 0 of layer 0)");

TEST_F(DamagedStudy, HeadsThatCannotBeAnalysedAreNamedAndTheOthersShown) {
  fs::copy_file(damaged(), folder / "study.h5");
  ModelPage& page = open(folder / "study.h5");
  EXPECT_EQ(page.model().heads(), (std::vector<HeadName>{{1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(page.model().damage().heads.size(), 3u);
  EXPECT_TRUE(message().text().contains(QStringLiteral("3 heads are damaged: L0H0, L0H1, L0H2")))
      << message().text().toStdString();
  EXPECT_TRUE(message().text().contains(kDataset));
  EXPECT_EQ(page.findChild<QLabel*>(QStringLiteral("headCount"))->text(),
            QStringLiteral("3 heads · 3 damaged"));
  EXPECT_EQ(messageOf<AbPlaneView>(page, "abPlane"), QString());
  EXPECT_EQ(messageOf<ProfileView>(page, "profile"), QString());
  // The grid looks different from that of the capture without damage, whose first row is coloured.
  auto* grid = page.findChild<HeadGridView*>(QStringLiteral("headGrid"));
  const QImage marked = grid->grab().toImage();
  grid->setDamaged({});
  test::settleEvents();
  EXPECT_NE(grid->grab().toImage(), marked) << "damaged heads are crossed out";
}

// The analysis was made before the damage: its numbers are shown, the rows are not.
TEST_F(DamagedStudy, OnlyViewsOfRowsAreEmptyWithAKeptAnalysis) {
  fs::copy_file(intact(), folder / "study.h5");
  Progress quiet;
  (void)openStudy(folder / "study.h5", {}, 1, quiet);
  fs::copy_file(damaged(), folder / "study.h5", fs::copy_options::overwrite_existing);
  ModelPage& page = open(folder / "study.h5");
  EXPECT_EQ(page.model().heads().size(), 6u);
  page.selection().setPlasticity(ApKind::Binned);  // too few texts for an aligned map
  page.selection().setHead({0, 1});
  settle();
  EXPECT_TRUE(messageOf<AbPlaneView>(page, "abPlane").contains(kDataset))
      << messageOf<AbPlaneView>(page, "abPlane").toStdString();
  EXPECT_EQ(messageOf<ProfileView>(page, "profile"), QString());
  EXPECT_EQ(messageOf<PlasticityMapView>(page, "plasticityMap"), QString());
  const auto* table = page.findChild<QTableView*>(QStringLiteral("headTable"));
  const auto tip = [table](int row) {
    return table->model()->index(row, HeadTableModel::NameColumn).data(Qt::ToolTipRole).toString();
  };
  EXPECT_TRUE(tip(0).contains(kDataset)) << tip(0).toStdString();
  EXPECT_EQ(tip(3), QString());
  page.selection().setHead({1, 1});
  settle();
  EXPECT_EQ(messageOf<AbPlaneView>(page, "abPlane"), QString());
}

TEST_F(DamagedStudy, AMissingTableEmptiesOnlyThePanelsThatNeedIt) {
  auto study = std::make_shared<Study>(*test::figureStudy(60));
  auto analysis = std::make_shared<AnalysisFile>(*study->analysis);
  std::erase_if(analysis->tables,
                [](const Table& table) { return table.name == "map" || table.name == "profile"; });
  std::erase_if(analysis->tables, [](const Table& table) { return table.name == "components"; });
  analysis->leftOut["components"] = "a.h5: /tables/components/r_q: damaged";
  study->analysis = analysis;
  study->capture = nullptr;
  Workers workers;
  LockedRanges ranges;
  ModelPage page({study, folder / "a.h5"}, PageServices{workers, ranges});
  page.resize(1300, 800);
  page.show();
  ASSERT_TRUE(test::waitFor([&] { return page.model().settled(); }));
  test::settleEvents();
  EXPECT_TRUE(
      messageOf<PlasticityMapView>(page, "plasticityMap").contains(QStringLiteral("no table \"map\"")));
  EXPECT_TRUE(messageOf<ProfileView>(page, "profile").contains(QStringLiteral("no table \"profile\"")));
  EXPECT_TRUE(
      messageOf<FigureView>(page, "components").contains(QStringLiteral("/tables/components/r_q")));
  EXPECT_EQ(messageOf<HeadGridView>(page, "headGrid"), QString());
  EXPECT_EQ(messageOf<HeadPointsView>(page, "taxonomy"), QString());
  EXPECT_EQ(messageOf<FigureView>(page, "weights"), QString());
}

// `render` draws the figure, or exits with code 3 and names the damaged or missing data.
TEST_F(DamagedStudy, RenderNamesDamagedAndMissingData) {
  const auto render = [this](const char* file, const char* figure) {
    return test::runProgram(
        "plastiscope", {"render", (folder / file).string(), "--figure", figure, "--head", "L1H1", "--out",
                        (folder / (std::string(figure) + ".pdf")).string()});
  };
  fs::copy_file(damaged(), folder / "study.h5");
  const test::ProgramResult refused = render("study.h5", "profile");
  EXPECT_EQ(refused.exitCode, 3);
  EXPECT_NE(refused.err.find("study.h5: /layers/00/key/vectors/00 (key head 0 of layer 0): "),
            std::string::npos)
      << refused.err;
  fs::copy_file(intact(), folder / "intact.h5");
  Progress quiet;
  AnalysisFile analysis = *openStudy(folder / "intact.h5", {}, 1, quiet)->analysis;
  std::erase_if(analysis.tables, [](const Table& table) { return table.name == "components"; });
  fs::create_directory(folder / "alone");
  writeAnalysis(analysis, folder / "alone" / "a.h5");
  const test::ProgramResult missing = render("alone/a.h5", "components");
  EXPECT_EQ(missing.exitCode, 3);
  EXPECT_NE(missing.err.find("no table \"components\""), std::string::npos) << missing.err;
  EXPECT_EQ(render("alone/a.h5", "profile").exitCode, 0);
}

}  // namespace
}  // namespace plastiscope
