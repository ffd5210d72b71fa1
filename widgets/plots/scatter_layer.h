#pragma once
// Draws the rows of a plane: circles in a file, images for the screen and for large numbers of rows. On the
// screen a worker draws them: the GUI thread shows the last image, moved and scaled to the current axes,
// until the next one is ready.
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
  // The rows as discs; `dots`: pixels per layout unit.
  QImage points(QSize pixels, const PixelMap& map, double dots) const;
  // Density: darker where more rows fall on a pixel (logarithmic), in the colour of their mean step of the
  // ramp; queries, keys and classes blend where they overlap.
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

// Pixels of the image that covers `box` of a panel's plot.
PixelMap pixelMapOf(const QCPAxisRect& rect, const QRectF& box, double dots);

class ScatterLayer : public QObject {
  Q_OBJECT
 public:
  explicit ScatterLayer(QObject* parent = nullptr);

  // Sets another plane or another way of drawing it; discards the last image.
  void use(CloudMark cloud, const PlotStyle& style, bool density);
  void paint(QCPPainter& painter, const QCPAxisRect& rect);
  bool drawing() const { return m_wanted.has_value() || m_watcher.isRunning(); }

 Q_SIGNALS:
  void drawn();  // the image of paint() has changed

 private:
  // The part of the plane in an image. Ranges are those of its edges.
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
  void showDrawn();

  std::shared_ptr<const ScatterPicture> m_cloud;
  bool m_density = false;
  std::uint64_t m_generation = 0;  // images of an older one are dropped
  Picture m_picture;
  std::optional<Place> m_wanted;
  QFutureWatcher<Picture> m_watcher;
};

}  // namespace plastiscope
