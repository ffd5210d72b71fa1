// The colouring of rows in the plane: chosen in its title bar for all heads, saved and undone.
#include <QComboBox>

#include "core/base/json.h"
#include "gui/page_fixture.h"
#include "widgets/plots/plane_view.h"

namespace plastiscope {
namespace {

class PlaneColours : public test::PageTest {
 protected:
  void choose(RowColour colour) {
    auto* choice = find<QComboBox>("planeColour");
    choice->setCurrentIndex(choice->findData(static_cast<int>(colour)));
    settle();
  }
  // The drawn rows.
  CloudMark cloud() {
    const auto plot = find<AbPlaneView>("abPlane")->shownPlot();
    return std::get<CloudMark>(plot->boxes.front().marks.front().kind);
  }
  std::string legend() {
    std::string all;
    for (const LegendEntry& entry : find<AbPlaneView>("abPlane")->shownPlot()->legend)
      all += entry.text + "|";
    return all;
  }

  std::shared_ptr<const Study> study = openExample({16, 4});
};

TEST_F(PlaneColours, EveryTokenTypeHasAColourForEveryHead) {
  EXPECT_EQ(cloud().colouring, nullptr);
  choose(RowColour::TokenType);
  ASSERT_NE(cloud().colouring, nullptr);
  EXPECT_EQ(cloud().colouring->by, RowColour::TokenType);
  EXPECT_EQ(legend(), "<b>Q</b>|<b>K</b>|word start|continuation|number|punctuation|space|other script|");
  const TokenTypes types = tokenTypesOf(*study->capture);
  page->selection().setHead({4, 3});
  settle();
  const CloudMark shown = cloud();
  ASSERT_EQ(shown.plane, page->model().views()->plane);
  const PlaneRows& keys = shown.plane->key;
  for (std::size_t i = 0; i < keys.size(); ++i)
    ASSERT_EQ(
        cloud().colouring->key[i],
        static_cast<std::int32_t>(
            types[static_cast<std::size_t>(keys.example[i])][static_cast<std::size_t>(keys.position[i])]))
        << i;
}

// The colours of a head may arrive after another head was chosen.
TEST_F(PlaneColours, ColoursOfAHeadThatIsNoLongerChosenAreDropped) {
  auto* choice = find<QComboBox>("planeColour");
  choice->setCurrentIndex(choice->findData(static_cast<int>(RowColour::TokenType)));
  workers.waitForDone();
  page->selection().setHead({4, 3});
  ASSERT_EQ(page->model().views(), nullptr);
  QCoreApplication::sendPostedEvents();
  settle();
  ASSERT_EQ(cloud().plane, page->model().views()->plane);
  ASSERT_NE(cloud().colouring, nullptr);
  EXPECT_EQ(cloud().colouring->key.size(), cloud().plane->key.x.size());
}

TEST_F(PlaneColours, TheChoiceIsUndoneAndKeptInTheSession) {
  choose(RowColour::Norm);
  EXPECT_EQ(ViewSelection::fromJson(page->selection().value().toJson()).rowColour, RowColour::Norm);
  EXPECT_TRUE(legend().starts_with("<b>Q</b>|<b>K</b>|norm ")) << legend();
  page->selection().undo();
  settle();
  EXPECT_EQ(cloud().colouring, nullptr);
  EXPECT_EQ(find<QComboBox>("planeColour")->currentText(), QStringLiteral("position"));
  EXPECT_EQ(ViewSelection::fromJson({{"row_colour", "of another version"}}).rowColour, RowColour::Position);
}

TEST_F(PlaneColours, ExplainsMissingTokenTypesWithoutTexts) {
  Study wordless = *study;
  wordless.capture = std::make_shared<test::WithWords>(
      study->capture, [](std::int64_t) { return std::vector<std::string>(); });
  page->model().setStudy(std::make_shared<Study>(wordless));
  settle();
  choose(RowColour::TokenType);
  auto* view = find<AbPlaneView>("abPlane");
  EXPECT_TRUE(view->message().contains(QStringLiteral("--no-texts"))) << view->message().toStdString();
  choose(RowColour::Position);
  EXPECT_EQ(view->message(), QString());
}

}  // namespace
}  // namespace plastiscope
