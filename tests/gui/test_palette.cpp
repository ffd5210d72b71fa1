#include <gtest/gtest.h>

#include <QTest>

#include "gui/wait_for.h"
#include "widgets/pages/command_palette.h"

namespace plastiscope {
namespace {

TEST(FuzzyScore, LettersInOrderAndWordStartsFirst) {
  EXPECT_GE(fuzzyScore("exfig", "Export figure …"), 0);
  EXPECT_LT(fuzzyScore("figex", "Export figure …"), 0);
  EXPECT_GT(fuzzyScore("rl", "Reset layout"), fuzzyScore("rl", "Colour by score slope"));
  EXPECT_GT(fuzzyScore("l12", "L12 H6"), fuzzyScore("l12", "L1 H2"));
  EXPECT_GE(fuzzyScore("L12H6", "L12 H6"), 0);
  EXPECT_EQ(fuzzyScore("", "x") >= 0, true);
}

TEST(CommandPalette, RunsTheBestHitOnEnter) {
  QWidget window;
  int ran = -1;
  CommandPalette palette(
      [&] {
        return std::vector<Command>{{"Open …", "Ctrl+O", [&] { ran = 0; }},
                                    {"Reset layout", "", [&] { ran = 1; }},
                                    {"L12 H6", "head", [&] { ran = 2; }}};
      },
      &window);
  window.show();
  palette.open();
  QApplication::setActiveWindow(&window);
  palette.setFocus();
  test::settleEvents();
  QTest::keyClicks(&palette, "rlay");
  EXPECT_EQ(palette.shownTitles(), QStringList{"Reset layout"});
  QTest::keyClick(&palette, Qt::Key_Return);
  EXPECT_EQ(ran, 1);
  EXPECT_TRUE(palette.text().isEmpty());
  palette.setFocus();
  QTest::keyClicks(&palette, "zzz");
  EXPECT_TRUE(palette.shownTitles().isEmpty());
  QTest::keyClick(&palette, Qt::Key_Return);
  EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace plastiscope
