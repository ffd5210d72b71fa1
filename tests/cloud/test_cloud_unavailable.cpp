// On a platform without OpenGL, or built without VTK, the view shows a message and every call is harmless.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>

#include "tests/cloud/cloud_samples.h"
#include "widgets/cloud/cloud_view.h"

namespace plastiscope {
namespace {

TEST(CloudUnavailable, TheViewShowsTheReasonAndCallsAreHarmless) {
  QWidget window;
  CloudView view(&window);
  view.setGeometry(0, 0, 400, 300);
  view.setData(spiralCloud());
  window.resize(400, 300);
  window.show();
  waitFor([&] { return !view.unavailable().isEmpty(); });
  EXPECT_THAT(view.unavailable().toStdString(), testing::HasSubstr(CLOUD_TEST_SENTENCE));

  QStringList shown;
  for (const QLabel* label : view.findChildren<QLabel*>()) {
    if (label->isVisible()) shown += label->text();
  }
  EXPECT_EQ(shown, QStringList{view.unavailable()});

  view.setSelectedRows({1, 2});
  view.setQueryHighlight(10, 20);
  view.setFrame(QStringLiteral("position"));
  view.setPerspective(true);
  view.setTheme(Theme::Dark);
  view.resetView();
  EXPECT_EQ(view.frame(), QStringLiteral("position"));
  EXPECT_TRUE(view.perspective());
  EXPECT_TRUE(view.picture().isNull());
  EXPECT_FALSE(view.placeOf(0));
  view.setMessage(QStringLiteral("Loading"));
  EXPECT_EQ(view.message(), QStringLiteral("Loading"));
  EXPECT_FALSE(window.grab().isNull());
}

}  // namespace
}  // namespace plastiscope
