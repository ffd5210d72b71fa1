// A clumsy person: thousands of clicks, drags, wheel turns and keys anywhere on a model tab, with captures
// being opened and closed meanwhile. Nothing may crash, hang or grow.
#include <gtest/gtest.h>
#include <malloc.h>

#include <QApplication>
#include <QComboBox>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <random>

#include "gui/held_mouse.h"
#include "gui/window_fixture.h"
#include "widgets/pages/model_page.h"

namespace plastiscope {
namespace {

using test::waitFor;

constexpr int kCycles = 4, kRoundsACycle = 6, kEventsARound = 150;
constexpr double kMegabyte = 1024.0 * 1024.0;

// Memory that is allocated, in MB. What the allocator holds in reserve for its threads is left out: it
// depends on which thread has freed what, and jumps by 60 MB.
double megabytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / kMegabyte;
}

class SoakTest : public test::WindowFixture {
 protected:
  SoakTest() : first(provide("grouped.h5", "first.h5")), second(provide("small.h5", "second.h5")) {
    renew();
    // The menus of tool buttons wait in an event loop of their own; a dialog keeps a person from the window.
    QObject::connect(&m_popups, &QTimer::timeout, [] {
      if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
      if (QWidget* dialog = QApplication::activeModalWidget()) dialog->close();
    });
    m_popups.start(30);
  }

  int below(int end) { return end <= 0 ? 0 : static_cast<int>(m_random() % static_cast<unsigned>(end)); }

  void act(QWidget& widget) {
    const QPoint at(below(widget.width()), below(widget.height()));
    switch (below(6)) {
      case 0:
      case 1:
        QTest::mouseClick(&widget, Qt::LeftButton, below(8) == 0 ? Qt::ShiftModifier : Qt::NoModifier, at);
        break;
      case 2:
        QTest::mouseMove(&widget, at);
        break;
      case 3:
        drag(widget, at, QPoint(below(widget.width()), below(widget.height())));
        break;
      case 4: {
        QWheelEvent wheel(at, widget.mapToGlobal(at), {}, {0, below(2) == 0 ? 120 : -120}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&widget, &wheel);
        break;
      }
      default: {
        constexpr Qt::Key kKeys[] = {Qt::Key_Up,   Qt::Key_Down,   Qt::Key_Left, Qt::Key_Right,
                                     Qt::Key_Home, Qt::Key_Escape, Qt::Key_Tab,  Qt::Key_PageUp,
                                     Qt::Key_End,  Qt::Key_7};
        QTest::keyClick(&widget, kKeys[below(std::size(kKeys))]);
      }
    }
  }

  void drag(QWidget& widget, QPoint from, QPoint to) {
    const Qt::KeyboardModifiers keys = below(2) == 0 ? Qt::ShiftModifier : Qt::NoModifier;
    QTest::mousePress(&widget, Qt::LeftButton, keys, from);
    for (int i = 1; i <= 4; ++i) test::moveHeld(widget, from + (to - from) * i / 4, keys);
    QTest::mouseRelease(&widget, Qt::LeftButton, keys, to);
  }

  // A visible widget of the tab in front.
  QWidget* anyWidget() {
    QList<QWidget*> seen;
    for (QWidget* widget : tabs().currentWidget()->findChildren<QWidget*>()) {
      if (widget->isVisible() && widget->isEnabled() && widget->width() > 2 && widget->height() > 2)
        seen.append(widget);
    }
    return seen.isEmpty() ? nullptr : seen[below(static_cast<int>(seen.size()))];
  }

  void round(int number) {
    // One of the captures is opened or closed while the events rain.
    if (number % 2 == 0) window->openPaths({number % 4 == 0 ? second : first});
    for (int i = 0; i < kEventsARound; ++i) {
      if (QWidget* widget = anyWidget()) act(*widget);
      QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    }
    if (number % 5 == 4 && tabs().count() > 1) Q_EMIT tabs().tabCloseRequested(below(tabs().count()));
    if (!window->currentPage()) window->openPaths({first});
    ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }, 60000))
        << "round " << number;
    window->currentPage()->resetLayout();
    test::settleEvents();
  }

  // One fresh tab and nothing else: how many captures happen to be open decides the memory otherwise.
  void startOver() {
    while (window->currentPage()) Q_EMIT tabs().tabCloseRequested(tabs().currentIndex());
    window->openPaths({first});
    ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }, 60000));
    test::settleEvents();
  }

  std::mt19937 m_random{20261122};
  QTimer m_popups;
  std::filesystem::path first, second;
};

TEST_F(SoakTest, ThousandsOfEventsNeitherBreakNorGrow) {
  startOver();
  std::vector<double> megabytes;
  for (int number = 0; number < kCycles * kRoundsACycle; ++number) {
    round(number);
    if (HasFatalFailure()) return;
    if (number % kRoundsACycle != kRoundsACycle - 1) continue;
    startOver();
    megabytes.push_back(megabytesInUse());
    RecordProperty("megabytes_" + std::to_string(megabytes.size()), std::to_string(megabytes.back()));
  }
  // After the first cycles caches are full, fonts and styles are loaded.
  EXPECT_LT(megabytes.back(), megabytes[kCycles / 2 - 1] + 40) << testing::PrintToString(megabytes);
  // Still a whole window.
  window->currentPage()->selection().setHead(window->currentPage()->model().heads().front());
  EXPECT_TRUE(waitFor([this] { return window->settled(); }));
}

}  // namespace
}  // namespace plastiscope
