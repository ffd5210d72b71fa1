// Using the window without a mouse: arrow keys change the head, F6 changes the panel.
#include <gtest/gtest.h>

#include <QDialog>
#include <QLabel>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <set>

#include "gui/window_fixture.h"
#include "widgets/pages/command_palette.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/plots/head_grid_view.h"

namespace plastiscope {
namespace {

using test::waitFor;

class KeyboardTest : public test::WindowFixture {
 protected:
  KeyboardTest() {
    renew();
    window->activateWindow();
    window->openPaths({provide("grouped.h5", "study.h5")});
    EXPECT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  }
  QString panelWithFocus() {
    for (const PanelDock* dock : window->findChildren<PanelDock*>()) {
      if (window->focusWidget() != nullptr && dock->isAncestorOf(window->focusWidget()))
        return dock->objectName();
    }
    return {};
  }
};

TEST_F(KeyboardTest, ArrowKeysWalkThroughHeadsOfACaptureThatWasJustOpened) {
  auto* grid = window->currentPage()->findChild<HeadGridView*>();
  ASSERT_EQ(window->focusWidget(), grid);
  const auto before = window->currentPage()->selection().value().head;
  QTest::keyClick(window->focusWidget(), Qt::Key_Right);
  EXPECT_NE(window->currentPage()->selection().value().head, before);
}

TEST_F(KeyboardTest, F6GoesFromPanelToPanelAndBack) {
  const QString first = panelWithFocus();
  EXPECT_EQ(first, QStringLiteral("headGridDock"));
  std::set<QString> seen = {first};
  QTest::keyClick(window.get(), Qt::Key_F6);
  const QString second = panelWithFocus();
  EXPECT_NE(second, first);
  QTest::keyClick(window.get(), Qt::Key_F6, Qt::ShiftModifier);
  EXPECT_EQ(panelWithFocus(), first);
  for (int i = 0; i < 20; ++i) {
    QTest::keyClick(window.get(), Qt::Key_F6);
    seen.insert(panelWithFocus());
  }
  EXPECT_TRUE(seen.contains(QStringLiteral("headTableDock")));
  EXPECT_TRUE(seen.contains(QStringLiteral("detailsDock")));
  EXPECT_FALSE(seen.contains(QString()));
}

TEST_F(KeyboardTest, TheSheetListsTheShortcutsOfAllMenus) {
  QString text;
  QTimer::singleShot(0, [this, &text] {
    auto* sheet = window->findChild<QDialog*>(QStringLiteral("shortcutSheet"));
    if (sheet == nullptr) return;
    for (const QLabel* label : sheet->findChildren<QLabel*>()) text += label->text();
    sheet->reject();
  });
  window->findChild<QAction*>(QStringLiteral("actionShortcuts"))->trigger();
  for (const char* part : {"Ctrl+E", "Full screen", "Ctrl+K", "drawing around"})
    EXPECT_TRUE(text.contains(QLatin1String(part))) << part;
}

// The palette finds every view and its options.
TEST_F(KeyboardTest, ThePaletteHasViewsAndTheirOptions) {
  auto* palette = window->findChild<CommandPalette*>();
  const auto found = [&](const char* typed) {
    palette->open();
    palette->setFocus();
    palette->clear();
    QTest::keyClicks(palette, QString::fromLatin1(typed));
    return palette->shownTitles();
  };
  EXPECT_TRUE(found("lasso").first().contains(QStringLiteral("lasso")));
  EXPECT_TRUE(found("counts").first().contains(QStringLiteral("Counts")));
  EXPECT_TRUE(found("show cloud").first().contains(QStringLiteral("Cloud")));
  EXPECT_TRUE(found("theme dark").first().contains(QStringLiteral("Theme"))) << "the dark theme";
  EXPECT_TRUE(found("zzzzzz").isEmpty());
  found("show what-if");
  QTest::keyClick(palette, Qt::Key_Return);
  auto* details = window->currentPage()->findChild<QTabWidget*>(QStringLiteral("details"));
  EXPECT_EQ(details->tabText(details->currentIndex()), QStringLiteral("What-if"));

  for (const char* name : {"one.h5", "two.h5"}) provide("grouped.h5", name);
  ASSERT_NE(compareInCharts({"one", "two"}), nullptr);
  EXPECT_EQ(found("show classes").first(), QStringLiteral("Show Classes"));
  QTest::keyClick(palette, Qt::Key_Return);
  EXPECT_FALSE(
      window->currentCompare()->findChild<QWidget*>("compareClassesDock")->visibleRegion().isEmpty());
}

}  // namespace
}  // namespace plastiscope
