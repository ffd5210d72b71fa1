#pragma once
// Rasterises large numbers of marks faster than a painter: points with a soft edge, and faint overlaid lines.
#include <QImage>
#include <cstdint>
#include <span>
#include <vector>

namespace plastiscope {

// From data to pixels: pixel = offset + scale * value.
struct PixelMap {
  double scaleX = 1, offsetX = 0, scaleY = 1, offsetY = 0;
  double x(double value) const { return offsetX + scaleX * value; }
  double y(double value) const { return offsetY + scaleY * value; }
};

struct PointBatch {
  std::span<const float> x, y;             // NaN = not drawn
  std::span<const std::int32_t> position;  // colour = ramp[position * ramp.size() / window]
  std::vector<QRgb> ramp;
  std::int64_t window = 1;
  bool rings = false;  // instead of discs
};
inline constexpr double kRingHole = 0.5;  // share of a ring's radius

// Draws onto `image` (ARGB32_Premultiplied); radius in pixels.
void drawPoints(QImage& image, const PointBatch& batch, const PixelMap& map, double radius);

// Density of points: alpha grows with the logarithm of the points per pixel, up to the 99th percentile; the
// colour is the count-weighted mean of the batches' colours, each at the mean position of its points.
QImage drawDensity(QSize size, std::span<const PointBatch> batches, const PixelMap& map);

// Many lines over the same x values, each blended with the alpha of `colour`.
struct LineBatch {
  std::span<const double> x;
  std::span<const double> y;  // [lines * x], NaN = gap
  QRgb colour = 0;
  double width = 1;  // pixels
};
QImage drawLines(QSize size, const LineBatch& batch, const PixelMap& map);

}  // namespace plastiscope
