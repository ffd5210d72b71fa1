#pragma once
// Synthetic clouds and mouse events for the tests of the cloud view.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QMouseEvent>
#include <QWidget>
#include <cmath>
#include <functional>
#include <memory>

#include "core/views/cloud_data.h"

namespace plastiscope {

// Queries around (10, 8, 0), keys around (-10, -8, 0) in a, b, c1, on two small spirals along position.
inline std::shared_ptr<const CloudData> spiralCloud(std::size_t rowsOfKind = 400) {
  auto cloud = std::make_shared<CloudData>();
  cloud->head = {3, 5};
  cloud->window = 4096;
  cloud->queryRows = rowsOfKind;
  cloud->exampleIds = {"moon.txt", "sea.txt"};
  CloudAxis a, b, c, t;
  a.label = "a", b.label = "b", c.label = "c1", t.label = "t";
  a.title = "a, position axis \u00b7 32\u00a0%";
  b.title = "b, separation axis \u00b7 12\u00a0%";
  c.title = "c1, complement \u00b7 6.1\u00a0%";
  t.title = "position (tokens)";
  for (const double side : {1.0, -1.0}) {
    for (std::size_t i = 0; i < rowsOfKind; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(rowsOfKind - 1);
      const double angle = 40 * share;
      cloud->position.push_back(static_cast<std::int32_t>(std::lround(4095 * share)));
      cloud->example.push_back(static_cast<std::int32_t>(i % 2));
      a.value.push_back(static_cast<float>(10 * side + 6 * (share - 0.5)));
      b.value.push_back(static_cast<float>(8 * side + 3 * std::cos(angle) * (0.3 + share)));
      c.value.push_back(static_cast<float>(3 * std::sin(angle) * (0.3 + share)));
      t.value.push_back(static_cast<float>(cloud->position.back()));
    }
  }
  a.low = -14, a.high = 14, b.low = -12, b.high = 12, c.low = -4, c.high = 4, t.low = 0, t.high = 4095;
  t.activation = false;
  cloud->axes = {a, b, c, t};
  cloud->frames = {{"complement", "a, b, c1", {0, 1, 2}}, {"position", "a, b, position", {0, 1, 3}}};
  return cloud;
}

// Runs the event loop until `done` or for `ms`; returns whether it was done.
inline bool waitFor(const std::function<bool()>& done, int ms = 5000) {
  QElapsedTimer timer;
  timer.start();
  while (!done() && timer.elapsed() < ms) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  return done();
}

inline void sendMouse(QWidget& widget, QEvent::Type type, const QPointF& place, Qt::MouseButton button,
                      Qt::MouseButtons buttons) {
  QMouseEvent event(type, place, widget.mapToGlobal(place), button, buttons, Qt::NoModifier);
  QCoreApplication::sendEvent(&widget, &event);
}

inline void click(QWidget& widget, const QPointF& place) {
  sendMouse(widget, QEvent::MouseButtonPress, place, Qt::LeftButton, Qt::LeftButton);
  sendMouse(widget, QEvent::MouseButtonRelease, place, Qt::LeftButton, Qt::NoButton);
}

}  // namespace plastiscope
