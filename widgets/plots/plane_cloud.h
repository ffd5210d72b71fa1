#pragma once
// The rows of a plane as marks: circles in a file, pictures for the screen and for very many rows.
#include <QImage>
#include <memory>

#include "core/views/plane_data.h"
#include "widgets/plots/plot_style.h"
#include "widgets/plots/qcp.h"
#include "widgets/plots/rasters.h"

namespace plastiscope {

class PlaneCloud {
 public:
  PlaneCloud(std::shared_ptr<const PlaneData> data, const PlotStyle& style);

  const PlaneData& data() const { return *m_data; }
  // Into a panel of a figure: vectors while there are few rows, else one lossless picture.
  void paint(QCPPainter& painter, const QCPAxisRect& rect) const;
  // The rows as discs; `dots`: pixels of a layout unit.
  QImage points(QSize pixels, const PixelMap& map, double dots) const;
  // How densely they lie: the darker the more rows fall on a pixel (logarithm), in the colour of their mean
  // position; queries and keys blend where they overlap.
  QImage density(QSize pixels, const PixelMap& map) const;

 private:
  void paintCircles(QCPPainter& painter, const QCPAxisRect& rect) const;
  PointBatch batch(QueryOrKey kind) const;

  std::shared_ptr<const PlaneData> m_data;
  std::vector<QRgb> m_query, m_key;
  double m_size, m_imageDots;
};

// Pixels of the picture that covers `box` of a panel's plot.
PixelMap pixelMapOf(const QCPAxisRect& rect, const QRectF& box, double dots);

}  // namespace plastiscope
