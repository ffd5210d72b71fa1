// Every control of the window can be reached with the keyboard and has a name for screen readers; pictures on
// buttons are explained by a tip.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSlider>
#include <QTabBar>

#include "gui/window_fixture.h"
#include "widgets/capture/capture_dialog.h"
#include "widgets/cloud/cloud_view.h"
#include "widgets/pages/model_page.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {
namespace {

using test::waitFor;

template <typename... Kinds>
bool isOneOf(const QWidget* widget) {
  return ((qobject_cast<const Kinds*>(widget) != nullptr) || ...);
}

// True for controls that users operate; false for the parts that Qt builds them from.
bool isControl(const QWidget* widget) {
  if (!isOneOf<QAbstractButton, QComboBox, QAbstractSpinBox, QSlider, QLineEdit, QPlainTextEdit,
               QAbstractItemView, PlotView, CloudView>(widget) ||
      isOneOf<QHeaderView>(widget))
    return false;
  const QWidget* parent = widget->parentWidget();
  return !isOneOf<QComboBox, QAbstractSpinBox, QTabBar, QLineEdit, QAbstractItemView>(parent) &&
         widget->objectName() != QStringLiteral("qt_toolbar_ext_button");
}

QString nameOf(QWidget* widget) {
  QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(widget);
  return reader ? reader->text(QAccessible::Name).trimmed() : QString();
}

std::string placeOf(const QWidget* widget) {
  QStringList path;
  for (const QWidget* at = widget; at && path.size() < 4; at = at->parentWidget())
    path.prepend(
        QStringLiteral("%1 '%2'").arg(QLatin1String(at->metaObject()->className()), at->objectName()));
  return path.join(QStringLiteral(" / ")).toStdString();
}

class AccessibleTest : public test::WindowFixture {
 protected:
  AccessibleTest() { renew(); }

  // Checks all visible controls below `top`.
  void check(QWidget& top) {
    int controls = 0;
    for (QWidget* widget : top.findChildren<QWidget*>()) {
      if (!widget->isVisible() || !isControl(widget)) continue;
      ++controls;
      EXPECT_FALSE(nameOf(widget).isEmpty()) << "no name: " << placeOf(widget);
      const bool plot = isOneOf<PlotView, CloudView>(widget);
      if (widget->isEnabled() && !plot) {
        EXPECT_TRUE(widget->focusPolicy() & Qt::TabFocus) << "not reached by Tab: " << placeOf(widget);
      }
      if (const auto* button = qobject_cast<QAbstractButton*>(widget); button && button->text().isEmpty()) {
        EXPECT_FALSE(button->toolTip().isEmpty()) << "no tip: " << placeOf(widget);
      }
    }
    EXPECT_GT(controls, 3);
  }
  void checkDialogs(std::initializer_list<const char*> actions) {
    for (const char* action : actions) {
      SCOPED_TRACE(action);
      window->findChild<QAction*>(QLatin1String(action))->trigger();
      ASSERT_TRUE(waitFor([this] { return dialog() != nullptr; }));
      test::settleEvents();
      check(*dialog());
      delete dialog();
    }
  }
  QDialog* dialog() {
    for (QDialog* each : window->findChildren<QDialog*>()) {
      if (each->isVisible()) return each;
    }
    return nullptr;
  }
};

TEST_F(AccessibleTest, WelcomePageAndDialogs) {
  settle();
  check(*window);
  checkDialogs({"actionSettings", "actionCapture"});
}

TEST_F(AccessibleTest, ModelPageWithEveryTabOfItsDetails) {
  window->openPaths({provide("grouped.h5", "study.h5")});
  ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  auto* details = window->findChild<QTabWidget*>(QStringLiteral("details"));
  for (int tab = 0; tab < details->count(); ++tab) {
    SCOPED_TRACE(details->tabText(tab).toStdString());
    details->setCurrentIndex(tab);
    settle();
    check(*window);
  }
  checkDialogs({"actionExport", "actionAnalyse"});
}

TEST_F(AccessibleTest, CompareAndBenchmarksPages) {
  SessionTab two;
  two.compared = {provide("grouped.h5", "one.h5"), provide("grouped.h5", "two.h5")};
  for (const bool charts : {false, true}) {
    two.compare.charts = charts;
    window->openComparison(two);
    settle();
    check(*window);
  }
  window->openBenchmarks(two);
  settle();
  check(*window);
}

}  // namespace
}  // namespace plastiscope
