#include "widgets/plots/zoom_overview.h"

#include <QPainter>

namespace plastiscope {

namespace {
constexpr double kShareOfPanel = 0.3;  // share of the sides, at most kLongestSide pixels
constexpr double kLongestSide = 150;
}  // namespace

QImage pictureOf(const CellMarks& cells, const PlotStyle& style) {
  const ColourMap& colours = colourMapOf(cells.colours, style);
  const std::size_t columns = cells.columns.size();
  QImage picture(static_cast<int>(columns), static_cast<int>(cells.rows.size()), QImage::Format_RGB32);
  for (std::size_t i = 0; i < cells.value.size(); ++i) {
    const bool valued = cells.state[i] == CellState::Valued;
    const double share = (cells.value[i] - cells.low) / (cells.high - cells.low);
    picture.setPixel(static_cast<int>(i % columns), static_cast<int>(i / columns),
                     valued ? colours.at(share) : style.colours.window.rgb());
  }
  return picture;
}

QRectF ZoomOverview::boxIn(const QRectF& panel) {
  const QSizeF size(std::min(kShareOfPanel * panel.width(), kLongestSide),
                    std::min(kShareOfPanel * panel.height(), kLongestSide));
  return {panel.bottomRight() - QPointF(size.width() + 6, size.height() + 6), size};
}

QPointF ZoomOverview::placeAt(const QPointF& pixel) const {
  return {whole.xLow + (whole.xHigh - whole.xLow) * (pixel.x() - box.left()) / box.width(),
          whole.yLow + (whole.yHigh - whole.yLow) * (pixel.y() - box.top()) / box.height()};
}

void ZoomOverview::paint(QPainter& painter, const QImage& picture, const PlotStyle& style) const {
  const auto xAt = [this](double x) {
    return box.left() + box.width() * (x - whole.xLow) / (whole.xHigh - whole.xLow);
  };
  const auto yAt = [this](double y) {
    return box.top() + box.height() * (y - whole.yLow) / (whole.yHigh - whole.yLow);
  };
  painter.fillRect(box.adjusted(-3, -3, 3, 3), style.colours.view);
  painter.drawImage(box, picture);
  const QRectF seen(QPointF(xAt(shown.xLow), yAt(shown.yLow)), QPointF(xAt(shown.xHigh), yAt(shown.yHigh)));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(pen(QColor("#101214"), 3));
  painter.drawRect(seen);
  painter.setPen(pen(Qt::white, 1.2));
  painter.drawRect(seen);
  painter.setPen(pen(style.colours.border, 1));
  painter.drawRect(box.adjusted(-3, -3, 3, 3));
}

}  // namespace plastiscope
