// GoogleTest with a QApplication; listing the tests needs no display.
#include <QApplication>
#include <cstring>

#include "tests/support/each_test_afresh.h"
#include "widgets/cloud/scene_3d.h"

int main(int argc, char** argv) {
  bool listing = false;
  for (int i = 1; i < argc; ++i) listing = listing || std::strcmp(argv[i], "--gtest_list_tests") == 0;
  testing::InitGoogleTest(&argc, argv);
  if (listing) return RUN_ALL_TESTS();
#ifdef CLOUD_TEST_PLATFORM
  qputenv("QT_QPA_PLATFORM", CLOUD_TEST_PLATFORM);
#endif
  plastiscope::prepareCloudGraphics();
  QApplication application(argc, argv);
  return plastiscope::test::runAllTestsAfresh();
}
