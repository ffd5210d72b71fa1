#include "widgets/plots/rasters.h"

#include <QLineF>
#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

// Coverage of a disc or ring in a square of pixels, for a centre at one of 4 x 4 places inside the middle
// pixel.
class DiscStamps {
 public:
  static constexpr int kPlaces = 4;
  DiscStamps(double radius, double hole)
      : m_half(static_cast<int>(std::ceil(radius))), m_side(2 * m_half + 1) {
    m_cover.resize(static_cast<std::size_t>(kPlaces * kPlaces * m_side * m_side));
    for (int place = 0; place < kPlaces * kPlaces; ++place) {
      const double cx = (place % kPlaces + 0.5) / kPlaces, cy = (place / kPlaces + 0.5) / kPlaces;
      for (int i = 0; i < m_side * m_side; ++i) {
        const double dx = i % m_side - m_half + 0.5 - cx, dy = i / m_side - m_half + 0.5 - cy;
        const double from = std::hypot(dx, dy);
        double inside = std::clamp(radius + 0.5 - from, 0.0, 1.0);
        if (hole > 0) inside -= std::clamp(hole + 0.5 - from, 0.0, inside);
        m_cover[static_cast<std::size_t>(place * m_side * m_side + i)] =
            static_cast<std::uint8_t>(255 * inside + 0.5);
      }
    }
  }
  int half() const { return m_half; }
  int side() const { return m_side; }
  const std::uint8_t* at(double x, double y) const {
    // Just below an integer the difference is rounded to 1.
    const auto place = [](double at) {
      return std::min(static_cast<int>((at - std::floor(at)) * kPlaces), kPlaces - 1);
    };
    return m_cover.data() + static_cast<std::size_t>((place(y) * kPlaces + place(x)) * m_side * m_side);
  }

 private:
  int m_half, m_side;
  std::vector<std::uint8_t> m_cover;
};

// dst = colour * cover + dst * (1 - cover), premultiplied, cover 0..255.
QRgb over(QRgb dst, QRgb colour, unsigned cover) {
  const auto mix = [cover](unsigned a, unsigned b) { return (a * cover + b * (255 - cover) + 127) / 255; };
  return qRgba(
      static_cast<int>(mix(static_cast<unsigned>(qRed(colour)), static_cast<unsigned>(qRed(dst)))),
      static_cast<int>(mix(static_cast<unsigned>(qGreen(colour)), static_cast<unsigned>(qGreen(dst)))),
      static_cast<int>(mix(static_cast<unsigned>(qBlue(colour)), static_cast<unsigned>(qBlue(dst)))),
      static_cast<int>(mix(255, static_cast<unsigned>(qAlpha(dst)))));
}

}  // namespace

void drawPoints(QImage& image, const PointBatch& batch, const PixelMap& map, double radius) {
  const DiscStamps stamps(radius, batch.rings ? kRingHole * radius : 0);
  const bool dots = radius < 0.6;  // one pixel each, for a million points
  const int width = image.width(), height = image.height(), half = stamps.half(), side = stamps.side();
  auto* pixels = reinterpret_cast<QRgb*>(image.bits());
  const auto stride = static_cast<std::ptrdiff_t>(image.bytesPerLine()) / 4;
  const double perToken = static_cast<double>(batch.ramp.size()) / static_cast<double>(batch.window);
  const int last = static_cast<int>(batch.ramp.size()) - 1;
  for (std::size_t i = 0; i < batch.x.size(); ++i) {
    const double x = map.x(static_cast<double>(batch.x[i])), y = map.y(static_cast<double>(batch.y[i]));
    if (!(x > -half && x < width + half && y > -half && y < height + half)) continue;  // NaN too
    const int place = std::clamp(static_cast<int>(batch.position[i] * perToken), 0, last);
    const QRgb colour = batch.ramp[static_cast<std::size_t>(place)];
    const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
    if (dots) {
      if (column >= 0 && column < width && row >= 0 && row < height) pixels[row * stride + column] = colour;
      continue;
    }
    const int left = column - half, top = row - half;
    const std::uint8_t* cover = stamps.at(x, y);
    for (int r = std::max(0, -top); r < std::min(side, height - top); ++r) {
      QRgb* line = pixels + (top + r) * stride + left;
      for (int c = std::max(0, -left); c < std::min(side, width - left); ++c) {
        const unsigned share = cover[r * side + c];
        if (share == 255)
          line[c] = colour;
        else if (share > 0)
          line[c] = over(line[c], colour, share);
      }
    }
  }
}

namespace {

// Points of one batch in a pixel.
struct DensityCell {
  std::uint32_t count = 0;
  std::uint64_t positions = 0;  // sum
};
using DensityCells = std::vector<DensityCell>;

DensityCells countedCells(QSize size, const PointBatch& batch, const PixelMap& map) {
  const int width = size.width(), height = size.height();
  DensityCells cells(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (std::size_t i = 0; i < batch.x.size(); ++i) {
    const double x = map.x(static_cast<double>(batch.x[i])), y = map.y(static_cast<double>(batch.y[i]));
    if (!(x >= 0 && x < width && y >= 0 && y < height)) continue;  // NaN too
    DensityCell& cell =
        cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    ++cell.count;
    cell.positions += static_cast<std::uint32_t>(std::max(0, batch.position[i]));
  }
  return cells;
}

// The count exceeded by 1 % of the pixels with points.
double fullCount(const std::vector<DensityCells>& all) {
  std::vector<std::uint32_t> counts;
  for (std::size_t i = 0; i < all.front().size(); ++i) {
    std::uint32_t count = 0;
    for (const DensityCells& cells : all) count += cells[i].count;
    if (count > 0) counts.push_back(count);
  }
  if (counts.empty()) return 1;
  const auto place = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() * 99 / 100);
  std::nth_element(counts.begin(), place, counts.end());
  return *place;
}

QRgb rampAt(const PointBatch& batch, const DensityCell& cell) {
  const double mean = static_cast<double>(cell.positions) / cell.count;
  const double step = mean * static_cast<double>(batch.ramp.size()) / static_cast<double>(batch.window);
  return batch.ramp[std::min(static_cast<std::size_t>(step), batch.ramp.size() - 1)];
}

}  // namespace

QImage drawDensity(QSize size, std::span<const PointBatch> batches, const PixelMap& map) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  if (size.isEmpty() || batches.empty()) return image;
  std::vector<DensityCells> all;
  for (const PointBatch& batch : batches) all.push_back(countedCells(size, batch, map));
  constexpr double kLeastAlpha = 0.35;  // so that a single row is visible
  const double full = std::log1p(fullCount(all)), one = std::log1p(1.0);
  for (int row = 0; row < size.height(); ++row) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
    for (int column = 0; column < size.width(); ++column) {
      const std::size_t at = static_cast<std::size_t>(row) * static_cast<std::size_t>(size.width()) +
                             static_cast<std::size_t>(column);
      double red = 0, green = 0, blue = 0, count = 0;
      for (std::size_t b = 0; b < batches.size(); ++b) {
        const DensityCell& cell = all[b][at];
        if (cell.count == 0) continue;
        const QRgb colour = rampAt(batches[b], cell);
        red += cell.count * static_cast<double>(qRed(colour));
        green += cell.count * static_cast<double>(qGreen(colour));
        blue += cell.count * static_cast<double>(qBlue(colour));
        count += cell.count;
      }
      if (count == 0) continue;
      const double share = full > one ? std::min(1.0, (std::log1p(count) - one) / (full - one)) : 1.0;
      const double alpha = kLeastAlpha + (1 - kLeastAlpha) * share;
      line[column] = qPremultiply(qRgba(static_cast<int>(red / count), static_cast<int>(green / count),
                                        static_cast<int>(blue / count), static_cast<int>(255 * alpha)));
    }
  }
  return image;
}

namespace {

// Adds a segment to a coverage image: the line covers a vertical span in each pixel column.
void addSegment(std::vector<float>& shade, QSize size, const QLineF& line, double width, float alpha) {
  const double x0 = line.x1(), y0 = line.y1(), x1 = line.x2();
  const double slope = (line.y2() - y0) / (x1 - x0);
  const double half = width / 2 * std::sqrt(1 + slope * slope);
  const int first = std::max(0, static_cast<int>(std::ceil(x0 - 0.5)));
  const int last = std::min(size.width() - 1, static_cast<int>(std::ceil(x1 - 0.5)) - 1);
  for (int column = first; column <= last; ++column) {
    const double y = y0 + slope * (column + 0.5 - x0);
    const double low = y - half, high = y + half;
    const int top = std::max(0, static_cast<int>(std::floor(low)));
    const int bottom = std::min(size.height() - 1, static_cast<int>(std::floor(high)));
    for (int row = top; row <= bottom; ++row) {
      const double cover = std::min(high, row + 1.0) - std::max(low, static_cast<double>(row));
      float& cell = shade[static_cast<std::size_t>(row) * static_cast<std::size_t>(size.width()) +
                          static_cast<std::size_t>(column)];
      cell += (1 - cell) * alpha * static_cast<float>(std::max(0.0, cover));
    }
  }
}

}  // namespace

QImage drawLines(QSize size, const LineBatch& batch, const PixelMap& map) {
  const auto& [xs, ys, colour, width] = batch;
  if (size.isEmpty()) return {};
  std::vector<float> shade(static_cast<std::size_t>(size.width()) * static_cast<std::size_t>(size.height()),
                           0.F);
  const auto alpha = static_cast<float>(qAlpha(colour)) / 255.F;
  const std::size_t points = xs.size();
  for (std::size_t start = 0; points > 1 && start + points <= ys.size(); start += points) {
    std::size_t previous = points;  // last point with a value
    for (std::size_t i = 0; i < points; ++i) {
      if (!std::isfinite(ys[start + i])) {
        previous = points;
        continue;
      }
      if (previous != points) {
        addSegment(shade, size,
                   {map.x(xs[previous]), map.y(ys[start + previous]), map.x(xs[i]), map.y(ys[start + i])},
                   width, alpha);
      }
      previous = i;
    }
  }
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  for (int row = 0; row < size.height(); ++row) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
    for (int column = 0; column < size.width(); ++column) {
      const float a = shade[static_cast<std::size_t>(row) * static_cast<std::size_t>(size.width()) +
                            static_cast<std::size_t>(column)];
      line[column] =
          qPremultiply(qRgba(qRed(colour), qGreen(colour), qBlue(colour), static_cast<int>(a * 255 + 0.5F)));
    }
  }
  return image;
}

}  // namespace plastiscope
