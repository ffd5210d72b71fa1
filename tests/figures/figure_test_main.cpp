// Figures and plot widgets need an application, never a screen.
#include <gtest/gtest.h>

#include <QApplication>
#include <QStandardPaths>

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  QApplication app(argc, argv);
  app.setApplicationName("plastiscope-figure-tests");
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
