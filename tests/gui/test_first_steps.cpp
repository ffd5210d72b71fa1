// First steps: from the welcome page to a printable figure of the example's quintiles in three clicks.
#include <gtest/gtest.h>

#include <QDialog>
#include <QDir>
#include <QDirIterator>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "gui/window_fixture.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/panel_dock.h"

namespace plastiscope {
namespace {

using test::waitFor;

class FirstSteps : public test::WindowFixture {
 protected:
  FirstSteps() { renew(); }
  static void click(QWidget* widget) {
    ASSERT_NE(widget, nullptr);
    ASSERT_TRUE(widget->isVisible() && widget->isEnabled());
    QTest::mouseClick(widget, Qt::LeftButton);
  }
  QStringList filesNamed(const QString& pattern) {
    QStringList found;
    QDirIterator files(QString::fromStdString(folder.path().string()), {pattern}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) found.append(files.next());
    return found;
  }
};

TEST_F(FirstSteps, ThreeClicksToAPrintableQuintileFigureOfTheExample) {
  settle();
  click(window->findChild<QPushButton*>(QStringLiteral("openExample")));
  ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }, 300000));
  test::settleEvents();

  click(window->findChild<PanelDock*>(QStringLiteral("profileDock"))
            ->bar()
            .findChild<QToolButton*>(QStringLiteral("panelExport")));
  const auto dialog = [this] { return window->findChild<QDialog*>(QStringLiteral("exportDialog")); };
  ASSERT_TRUE(waitFor([&] { return dialog() != nullptr; }));
  auto* start = dialog()->findChild<QPushButton*>(QStringLiteral("exportButton"));
  ASSERT_TRUE(waitFor([&] { return start->isEnabled(); }));

  click(start);
  ASSERT_TRUE(waitFor([&] { return !filesNamed(QStringLiteral("profile*.pdf")).isEmpty(); }));
  ASSERT_TRUE(waitFor([&] { return !filesNamed(QStringLiteral("profile*.csv")).isEmpty(); }));
  QFile figure(filesNamed(QStringLiteral("profile*.pdf")).front());
  ASSERT_TRUE(figure.open(QIODevice::ReadOnly));
  EXPECT_TRUE(figure.read(8).startsWith("%PDF-1."));
  QFile table(filesNamed(QStringLiteral("profile*.csv")).front());
  ASSERT_TRUE(table.open(QIODevice::ReadOnly));
  EXPECT_TRUE(table.readAll().contains("quintile"));
}

}  // namespace
}  // namespace plastiscope
