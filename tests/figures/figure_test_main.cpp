// Creates the application that figures and plot widgets need; no screen is used.
#include <QApplication>
#include <QStandardPaths>

#include "tests/support/each_test_afresh.h"

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  QApplication app(argc, argv);
  app.setApplicationName("plastiscope-figure-tests");
  testing::InitGoogleTest(&argc, argv);
  return plastiscope::test::runAllTestsAfresh();
}
