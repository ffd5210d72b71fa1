// Runs the tests with the real widgets, without a screen unless QT_QPA_PLATFORM is set.
#include <gtest/gtest.h>

#include <QApplication>
#include <QStandardPaths>

#include "tests/support/each_test_afresh.h"
#include "widgets/state/theme.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);  // keeps the user's settings out of the tests
  QApplication application(argc, argv);
  return plastiscope::test::runAllTestsAfresh(
      [&application] { plastiscope::applyTheme(application, QStringLiteral("light")); });
}
