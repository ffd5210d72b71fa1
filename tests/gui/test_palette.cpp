#include <gtest/gtest.h>

#include <QTest>

#include "gui/wait_for.h"
#include "widgets/pages/command_palette.h"
#include "widgets/state/word_match.h"

namespace plastiscope {
namespace {

TEST(WordScore, WordsPrefixesAndSynonymsButNoScatteredLetters) {
  EXPECT_GE(wordScore("exp fig", "Export figure …"), 0);
  EXPECT_GE(wordScore("fig exp", "Export figure …"), 0);
  EXPECT_LT(wordScore("exfig", "Export figure …"), 0);
  EXPECT_LT(wordScore("rl", "Reset layout"), 0);
  EXPECT_GE(wordScore("L12H6", "L12 H6"), 0);
  EXPECT_LT(wordScore("l12", "L1 H2"), 0);
  EXPECT_GE(wordScore("ablate", "Measure without this head …"), 0);
  EXPECT_GE(wordScore("latex", "Export figure …"), 0);
  EXPECT_LT(wordScore("latex", "Reset layout"), 0);
  EXPECT_GE(wordScore("ap_drop", "Colour by AP drop", "ap_drop"), 0);
  EXPECT_GT(wordScore("export", "Export figure …"), wordScore("latex", "Export figure …"));
}

void show(QWidget& window, CommandPalette& palette) {
  window.show();
  palette.open();
  QApplication::setActiveWindow(&window);
  palette.setFocus();
  test::settleEvents();
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
  show(window, palette);
  QTest::keyClicks(&palette, "lay");
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

TEST(CommandPalette, ShowsWhatAnActionNeedsAndDoesNotRunIt) {
  QWidget window;
  int ran = 0;
  CommandPalette palette(
      [&] {
        return std::vector<Command>{{"Analyse", "", [&] { ++ran; }, "", "needs an open capture"},
                                    {"Analysis help", "", [&] { ran += 10; }}};
      },
      &window);
  show(window, palette);
  QTest::keyClicks(&palette, "analy");
  EXPECT_EQ(palette.shownTitles(), (QStringList{"Analysis help", "Analyse"}));
  QTest::keyClick(&palette, Qt::Key_Down);
  QTest::keyClick(&palette, Qt::Key_Return);
  EXPECT_EQ(ran, 0);
}

}  // namespace
}  // namespace plastiscope
