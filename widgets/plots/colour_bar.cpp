#include "widgets/plots/colour_bar.h"

#include "widgets/plots/panel_furniture.h"

namespace plastiscope {

void addColourBar(const FigurePlace& place, int row, int column, const PlotStyle& style, QCPAxisRect& beside,
                  const ColourMap& map, const ColourBarOptions& options) {
  if (PanelFurniture* kept = place.furniture())
    kept->bar = PanelBar{&map, options, &beside, row, column};
  else
    layColourBar(place, row, column, style, &beside, map, options);
}

QCPAxisRect& layColourBar(const FigurePlace& place, int row, int column, const PlotStyle& style,
                          QCPAxisRect* beside, const ColourMap& map, const ColourBarOptions& options) {
  QCPAxisRect& bar = addPanel(place, row, column, style, {Frame::Box, false, false, "", "", {}});
  for (const auto type : {QCPAxis::atLeft, QCPAxis::atBottom}) {
    bar.axis(type)->setTicks(false);
    bar.axis(type)->setTickLabels(false);
  }
  QCPAxis& axis = *bar.axis(QCPAxis::atRight);
  axis.setTicks(true);
  axis.setTickLabels(true);
  axis.setTickPen(bar.axis(QCPAxis::atLeft)->tickPen());
  axis.setRange(options.low, options.high);
  axis.setTicker(QSharedPointer<NumberTicker>::create(axis, options.scale));
  titleAxis(axis, options.title, style);
  const int width = style.units(style.print ? 8 : 11);
  bar.setSizeConstraintRect(QCPLayoutElement::scrInnerRect);
  bar.setMinimumSize(width, style.units(20));
  bar.setMaximumSize(width, QWIDGETSIZE_MAX);
  bar.setMinimumMargins(QMargins(style.units(style.print ? 3 : 2), 0, style.units(1), 0));
  bar.setRangeDrag({});
  bar.setRangeZoom({});
  if (beside != nullptr) {
    auto* group = new QCPMarginGroup(&place.plot());
    for (QCPAxisRect* rect : {beside, &bar}) rect->setMarginGroup(QCP::msTop | QCP::msBottom, group);
  }
  place.grid().setColumnStretchFactor(column, 0.001);
  new PaintedLayer(bar, "grid", Clip::AxisRect, [&bar, &map](QCPPainter& painter) {
    // From the bottom, each colour up to the top: the next one covers it, and no seam can show.
    painter.setAntialiasing(false);
    painter.setPen(Qt::NoPen);
    const QRectF rect(bar.rect());
    for (int i = 0; i < 256; ++i) {
      painter.setBrush(QColor(map.colours()[static_cast<std::size_t>(i)]));
      QRectF step = rect;
      step.setBottom(rect.bottom() - rect.height() * i / 256);
      painter.drawRect(step);
    }
  });
  return bar;
}

}  // namespace plastiscope
