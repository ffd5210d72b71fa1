// The real widget, drawn under a (virtual) screen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QOpenGLWidget>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "tests/cloud/cloud_samples.h"
#include "widgets/cloud/cloud_view.h"
#include "widgets/cloud/scene_3d.h"

namespace plastiscope {
namespace {

bool isBlue(QRgb colour) {
  return qBlue(colour) > qRed(colour) + 50 && qBlue(colour) > qGreen(colour) + 15;
}
bool isRed(QRgb colour) {
  return qRed(colour) > qBlue(colour) + 50 && qGreen(colour) < qBlue(colour) + 60;
}
bool isOrange(QRgb colour) {
  return qRed(colour) > 170 && qGreen(colour) > qBlue(colour) + 70;
}

struct Found {
  int count = 0;
  double x = 0, y = 0;  // mean place, device pixels
};

Found find(const QImage& image, bool (*wanted)(QRgb)) {
  Found found;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (!wanted(image.pixel(x, y))) continue;
      ++found.count;
      found.x += x;
      found.y += y;
    }
  }
  found.x /= std::max(1, found.count);
  found.y /= std::max(1, found.count);
  return found;
}

// Share of pixels that differ visibly.
double difference(const QImage& a, const QImage& b) {
  if (a.size() != b.size()) return 1;
  int differing = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      const QRgb one = a.pixel(x, y), other = b.pixel(x, y);
      differing += std::abs(qRed(one) - qRed(other)) + std::abs(qGreen(one) - qGreen(other)) +
                       std::abs(qBlue(one) - qBlue(other)) >
                   60;
    }
  }
  return differing / static_cast<double>(a.width() * a.height());
}

bool processorDraws() {
  QOpenGLContext context;
  QOffscreenSurface surface;
  surface.create();
  if (!context.create() || !context.makeCurrent(&surface)) return false;
  return QByteArray(reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER)))
      .contains("llvmpipe");
}

class CloudViewTest : public testing::Test {
 protected:
  void SetUp() override {
    view.setTheme(Theme::Light);
    view.resize(420, 360);
    view.setData(spiralCloud());
    view.show();
    ASSERT_EQ(view.unavailable().toStdString(), "")
        << "these tests need a display with OpenGL, e.g. xvfb-run";
    ASSERT_TRUE(drawn());
  }
  bool drawn() {
    return waitFor([this] { return view.isVisible() && gl() != nullptr && gl()->isValid(); });
  }
  QPointF inScene(std::size_t row) { return *view.placeOf(row) - QPointF(gl()->mapTo(&view, QPoint(0, 0))); }
  QOpenGLWidget* gl() { return view.findChild<QOpenGLWidget*>(); }
  QString notice() {
    for (const QLabel* label : view.findChildren<QLabel*>()) {
      if (label->isVisible()) return label->text();
    }
    return {};
  }

  CloudView view;
};

TEST_F(CloudViewTest, QueriesAreBlueAboveAndRightOfRedKeys) {
  const QImage picture = view.picture();
  const Found blue = find(picture, isBlue), red = find(picture, isRed);
  EXPECT_GT(blue.count, 400);
  EXPECT_GT(red.count, 400);
  EXPECT_GT(blue.x, red.x + 40);
  EXPECT_LT(blue.y, red.y - 40);
}

TEST_F(CloudViewTest, PointsAreDrawnAtPlaceOf) {
  const QImage picture = view.grab().toImage();
  for (const std::size_t row : {std::size_t{399}, std::size_t{799}}) {
    const auto place = view.placeOf(row);
    ASSERT_TRUE(place);
    const QRgb pixel = picture.pixel((*place * view.devicePixelRatioF()).toPoint());
    EXPECT_TRUE(row < 400 ? isBlue(pixel) || qBlue(pixel) > 80 : qRed(pixel) > 80)
        << row << " " << std::hex << pixel;
    EXPECT_LT(qGray(pixel), 140) << "late positions are dark on white";
  }
}

TEST_F(CloudViewTest, AClickNamesItsRow) {
  view.setData(spiralCloud(30));  // so few that no point hides another
  std::vector<std::pair<QueryOrKey, qint64>> picked;
  QObject::connect(&view, &CloudView::rowPicked,
                   [&](QueryOrKey kind, qint64 row) { picked.emplace_back(kind, row); });
  for (const std::size_t row : {29, 59, 30}) click(*gl(), inScene(row));
  click(*gl(), QPointF(3, 3));
  EXPECT_THAT(picked, testing::ElementsAre(std::pair(QueryOrKey::Query, qint64{29}),
                                           std::pair(QueryOrKey::Key, qint64{29}),
                                           std::pair(QueryOrKey::Key, qint64{0})));
}

TEST_F(CloudViewTest, HoveringNamesTheRowAndLeavingEndsIt) {
  qint64 hovered = -1;
  bool left = false;
  QObject::connect(&view, &CloudView::rowHovered, [&](QueryOrKey, qint64 row) { hovered = row; });
  QObject::connect(&view, &CloudView::rowUnhovered, [&] { left = true; });
  const QPointF place = inScene(399);
  sendMouse(*gl(), QEvent::MouseMove, place, Qt::NoButton, Qt::NoButton);
  EXPECT_TRUE(waitFor([&] { return hovered == 399; }));
  EXPECT_FALSE(QToolTip::text().contains(QStringLiteral("whale")));
  view.setTokenContext(QStringLiteral("the <b>whale</b> rose"));
  EXPECT_TRUE(QToolTip::text().contains(QStringLiteral("the <b>whale</b> rose")));
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(gl(), &leave);
  EXPECT_TRUE(left);
}

TEST_F(CloudViewTest, SelectedRowsAndHighlightedQueriesAreOrange) {
  EXPECT_EQ(find(view.picture(), isOrange).count, 0);
  view.setSelectedRows({799});
  const Found one = find(view.picture(), isOrange);
  EXPECT_GT(one.count, 8);
  const QPointF place = inScene(799);
  EXPECT_NEAR(one.x / view.devicePixelRatioF(), place.x(), 1.5);
  EXPECT_NEAR(one.y / view.devicePixelRatioF(), place.y(), 1.5);
  view.setQueryHighlight(2000, 3000);
  EXPECT_GT(find(view.picture(), isOrange).count, 20 * one.count);
  view.setSelectedRows({});
  view.setQueryHighlight(0, 0);
  EXPECT_EQ(find(view.picture(), isOrange).count, 0);
}

TEST_F(CloudViewTest, TheThemeChangesBackgroundAndRamps) {
  const QImage light = view.picture();
  view.setTheme(Theme::Dark);
  const QImage dark = view.picture();
  EXPECT_EQ(light.pixelColor(2, 2), plotColours(Theme::Light, false).view);
  EXPECT_EQ(dark.pixelColor(2, 2), plotColours(Theme::Dark, false).view);
  EXPECT_GT(find(dark, isBlue).count, 400);
  EXPECT_GT(find(dark, isRed).count, 400);
}

TEST_F(CloudViewTest, DraggingTurnsTheWheelZoomsAndResetRestores) {
  const QPointF before = *view.placeOf(399);
  sendMouse(*gl(), QEvent::MouseButtonPress, {200, 150}, Qt::LeftButton, Qt::LeftButton);
  sendMouse(*gl(), QEvent::MouseMove, {230, 150}, Qt::NoButton, Qt::LeftButton);
  sendMouse(*gl(), QEvent::MouseMove, {260, 160}, Qt::NoButton, Qt::LeftButton);
  sendMouse(*gl(), QEvent::MouseButtonRelease, {260, 160}, Qt::LeftButton, Qt::NoButton);
  const auto turned = view.placeOf(399);
  ASSERT_TRUE(turned);
  EXPECT_GT(QLineF(before, *turned).length(), 10);
  view.resetView();
  EXPECT_LT(QLineF(before, *view.placeOf(399)).length(), 1e-6);

  const double apart = QLineF(*view.placeOf(10), *view.placeOf(410)).length();
  QWheelEvent wheel({200, 150}, gl()->mapToGlobal(QPointF(200, 150)), {}, {0, -240}, Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(gl(), &wheel);
  EXPECT_NEAR(QLineF(*view.placeOf(10), *view.placeOf(410)).length(), apart / (1.15 * 1.15), 0.01 * apart);
}

TEST_F(CloudViewTest, MiddleButtonShiftsEverythingAlike) {
  const QPointF one = *view.placeOf(10), other = *view.placeOf(410);
  sendMouse(*gl(), QEvent::MouseButtonPress, {200, 150}, Qt::MiddleButton, Qt::MiddleButton);
  sendMouse(*gl(), QEvent::MouseMove, {210, 150}, Qt::NoButton, Qt::MiddleButton);
  sendMouse(*gl(), QEvent::MouseMove, {225, 140}, Qt::NoButton, Qt::MiddleButton);
  sendMouse(*gl(), QEvent::MouseButtonRelease, {225, 140}, Qt::MiddleButton, Qt::NoButton);
  const QPointF way = *view.placeOf(10) - one;
  EXPECT_NEAR(way.x(), 25, 1);
  EXPECT_NEAR(way.y(), -10, 1);
  EXPECT_LT(QLineF(*view.placeOf(410) - other, way).length(), 0.01);
}

TEST_F(CloudViewTest, PerspectiveKeepsTheBoxInThePicture) {
  const QImage flat = view.picture();
  view.setPerspective(true);
  EXPECT_TRUE(view.perspective());
  EXPECT_GT(difference(flat, view.picture()), 0.002);
  for (const std::size_t row : {0, 399, 400, 799}) EXPECT_TRUE(view.placeOf(row)) << row;
  view.setPerspective(false);
  EXPECT_LT(difference(flat, view.picture()), 0.001);
}

TEST_F(CloudViewTest, AnotherFrameShowsOtherAxesAndSignalsTheChange) {
  EXPECT_EQ(view.frame(), QStringLiteral("complement"));
  QString told;
  QObject::connect(&view, &CloudView::frameChanged, [&](const QString& id) { told = id; });
  auto* choice = view.findChild<QComboBox*>();
  ASSERT_EQ(choice->count(), 2);
  const QPointF before = *view.placeOf(399);
  choice->setCurrentIndex(1);
  Q_EMIT choice->activated(1);
  EXPECT_EQ(told, QStringLiteral("position"));
  EXPECT_EQ(view.frame(), QStringLiteral("position"));
  EXPECT_GT(QLineF(before, *view.placeOf(399)).length(), 5);

  view.setFrame(QStringLiteral("principal"));  // not in this data
  EXPECT_EQ(view.frame(), QStringLiteral("complement"));
}

TEST_F(CloudViewTest, AMessageReplacesTheCloudUntilDataComes) {
  view.setMessage(QStringLiteral("Loading L3H5"));
  EXPECT_TRUE(view.picture().isNull());
  EXPECT_EQ(notice(), QStringLiteral("Loading L3H5"));
  view.setData(spiralCloud());
  EXPECT_EQ(notice(), QString());
  EXPECT_GT(find(view.picture(), isBlue).count, 400);
  auto none = std::make_shared<CloudData>();
  none->missing = "The rows are in the capture";
  view.setData(none);
  EXPECT_EQ(notice(), QStringLiteral("The rows are in the capture"));
}

TEST_F(CloudViewTest, AnotherWindowMakesAnotherContextAndTheSamePicture) {
  const QImage before = view.picture();
  int lost = 0;
  QObject::connect(gl()->context(), &QOpenGLContext::aboutToBeDestroyed, [&lost] { ++lost; });
  for (int round = 0; round < 2; ++round) {
    QWidget host;
    auto* layout = new QVBoxLayout(&host);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(&view);
    host.resize(420, 360);
    host.show();
    ASSERT_TRUE(drawn());
    ASSERT_TRUE(waitFor([&] { return view.size() == QSize(420, 360); }));
    EXPECT_EQ(lost, 1) << "the first window's context is gone";
    EXPECT_LT(difference(before, view.picture()), 0.005);
    EXPECT_LT(difference(before, view.picture()), 0.005) << "painted again in the new context";
    view.setParent(nullptr);
    view.show();
    ASSERT_TRUE(drawn());
    EXPECT_LT(difference(before, view.picture()), 0.005);
  }
}

TEST_F(CloudViewTest, WorksInAWindowThatWasShownBeforeAndIsGrabbedWithIt) {
  QWidget window;
  window.setGeometry(60, 80, 500, 420);
  auto* layout = new QVBoxLayout(&window);
  window.show();
  ASSERT_TRUE(waitFor([&] { return window.isVisible(); }));
  auto* late = new CloudView(&window);
  late->setTheme(Theme::Light);
  late->setData(spiralCloud());
  layout->addWidget(late);
  late->show();
  ASSERT_TRUE(waitFor(
      [&] { return late->findChild<QOpenGLWidget*>() && late->findChild<QOpenGLWidget*>()->isValid(); }));
  EXPECT_TRUE(window.isVisible());
  EXPECT_EQ(window.size(), QSize(500, 420));
  const QImage whole = window.grab().toImage();
  EXPECT_GT(find(whole, isBlue).count, 400);
  EXPECT_GT(find(whole, isRed).count, 400);
}

TEST_F(CloudViewTest, NoRowsAndNoDataDoNotCrash) {
  view.setData(nullptr);
  EXPECT_TRUE(view.picture().isNull());
  EXPECT_FALSE(view.placeOf(0));
  view.setSelectedRows({5, 100000});
  auto cloud = std::make_shared<CloudData>(*spiralCloud());
  for (CloudAxis& axis : cloud->axes) std::fill(axis.value.begin(), axis.value.end(), NAN);
  view.setData(cloud);
  EXPECT_FALSE(view.picture().isNull());
}

TEST(CloudStageTest, FewerPointsAreDrawnWhileTheCameraMovesOnAProcessor) {
  const auto cloud = spiralCloud(60'000);
  QWidget window;
  Scene3d* scene = makeScene3d(&window);
  scene->resize(300, 300);
  window.resize(300, 300);
  auto layout = std::make_shared<const CloudLayout>(layOut(*cloud, cloud->frames[0]));
  scene->setColours({Qt::white, Qt::gray, Qt::yellow, Qt::white});
  scene->setPoints(layout, std::vector<std::uint8_t>(3 * layout->points(), 80));
  window.show();
  auto* host = scene->findChild<QOpenGLWidget*>();
  ASSERT_TRUE(waitFor([&] { return host->isValid(); }));
  ASSERT_FALSE(scene->picture().isNull());
  EXPECT_EQ(scene->pointsDrawn(), 120'000u);
  sendMouse(*host, QEvent::MouseButtonPress, {150, 150}, Qt::LeftButton, Qt::LeftButton);
  sendMouse(*host, QEvent::MouseMove, {180, 150}, Qt::NoButton, Qt::LeftButton);
  EXPECT_EQ(scene->pointsDrawn(), processorDraws() ? 50'000u : 120'000u);
  EXPECT_GT(find(scene->picture(), [](QRgb c) { return c == qRgb(80, 80, 80); }).count, 500);
  sendMouse(*host, QEvent::MouseButtonRelease, {180, 150}, Qt::LeftButton, Qt::NoButton);
  EXPECT_EQ(scene->pointsDrawn(), 120'000u);
}

}  // namespace
}  // namespace plastiscope
