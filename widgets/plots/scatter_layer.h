#pragma once
// The rows of a plane: circles in a file, pictures for the screen and for very many rows. On the screen they
// are drawn by a worker: the GUI thread only puts the last picture into place, moved and stretched to the
// axes as they are now, until the next one has come.
#include <QFutureWatcher>
#include <QImage>
#include <QObject>
#include <functional>
#include <memory>
#include <optional>

#include "core/views/plane_data.h"
#include "core/views/row_colours.h"
#include "widgets/plots/plot_style.h"
#include "widgets/plots/qcp.h"
#include "widgets/plots/rasters.h"

namespace plastiscope {

class ScatterPicture {
 public:
  ScatterPicture(CloudMark cloud, const PlotStyle& style);

  const PlaneData& data() const { return *m_cloud.plane; }
  // A row inside a panel; `size`: its diameter.
  struct Disc {
    QPointF at;
    double size = 0;
    QRgb colour = 0;
    bool ring = false;
  };
  void eachDisc(const QCPAxisRect& rect, const std::function<void(const Disc&)>& take) const;
  // The rows as discs; `dots`: pixels of a layout unit.
  QImage points(QSize pixels, const PixelMap& map, double dots) const;
  // How densely they lie: the darker the more rows fall on a pixel (logarithm), in the colour of their mean
  // step of the ramp; queries, keys and classes blend where they overlap.
  QImage density(QSize pixels, const PixelMap& map) const;

 private:
  PointBatch batch(QueryOrKey kind) const;
  template <typename Draw>
  void inTurns(Draw draw) const;

  bool hasClasses() const { return m_cloud.colouring && !m_cloud.colouring->classes.empty(); }

  CloudMark m_cloud;
  std::vector<QRgb> m_query, m_key;
  double m_size;
};

// Pixels of the picture that covers `box` of a panel's plot.
PixelMap pixelMapOf(const QCPAxisRect& rect, const QRectF& box, double dots);

class ScatterLayer : public QObject {
  Q_OBJECT
 public:
  explicit ScatterLayer(QObject* parent = nullptr);

  // Another plane or another way of drawing it: the last picture is forgotten.
  void use(CloudMark cloud, const PlotStyle& style, bool density);
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
  static Place placeOf(const QCPAxisRect& rect, const QRectF& box, double dots);
  static QRectF targetOf(const QCPAxisRect& rect, const Place& place);
  void request(const Place& place);
  void take();

  std::shared_ptr<const ScatterPicture> m_cloud;
  bool m_density = false;
  std::uint64_t m_generation = 0;  // pictures of an older one are dropped
  Picture m_picture;
  std::optional<Place> m_wanted;
  QFutureWatcher<Picture> m_watcher;
};

}  // namespace plastiscope
