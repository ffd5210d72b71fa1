#pragma once
// The rows of a plane on the screen, drawn elsewhere: the GUI thread only puts the last picture into place,
// moved and stretched to the axes as they are now, until the next one has come.
#include <QFutureWatcher>
#include <QObject>
#include <memory>
#include <optional>

#include "widgets/plots/plane_cloud.h"

namespace plastiscope {

class LiveCloud : public QObject {
  Q_OBJECT
 public:
  explicit LiveCloud(QObject* parent = nullptr);

  // Another cloud (compared by its rows) or another way of drawing it: the last picture is forgotten.
  void use(std::shared_ptr<const PlaneData> data, const PlotStyle& style, bool density);
  void paint(QCPPainter& painter, const QCPAxisRect& rect);
  bool drawing() const { return m_wanted.has_value() || m_watcher.isRunning(); }

 Q_SIGNALS:
  void drawn();  // paint() would show another picture now

 private:
  // What part of the plane a picture shows. Ranges are those of its edges.
  struct Place {
    QSize pixels;
    QCPRange x, y;
    double dots = 1;
    bool operator==(const Place&) const = default;
  };
  struct Picture {
    Place place;
    QImage image;
    std::uint64_t generation = 0;
  };
  static Place placeOf(const QCPAxisRect& rect, double dots);
  static QRectF targetOf(const QCPAxisRect& rect, const Place& place);
  void request(const Place& place);
  void take();

  std::shared_ptr<const PlaneCloud> m_cloud;
  bool m_density = false;
  std::uint64_t m_generation = 0;  // pictures of an older one are dropped
  Picture m_picture;
  std::optional<Place> m_wanted;
  QFutureWatcher<Picture> m_watcher;
};

}  // namespace plastiscope
