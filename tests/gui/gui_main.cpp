// Runs the tests with the real widgets, without a screen unless QT_QPA_PLATFORM says otherwise.
#include <gtest/gtest.h>

#include <QApplication>
#include <QStandardPaths>

#include "widgets/state/theme.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);  // nothing of the person's own settings is read or written
  QApplication application(argc, argv);
  plastiscope::applyTheme(application, QStringLiteral("light"));
  return RUN_ALL_TESTS();
}
