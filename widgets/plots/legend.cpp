#include <QFontMetricsF>
#include <algorithm>

#include "widgets/plots/panel.h"
#include "widgets/plots/panel_furniture.h"
#include "widgets/plots/rich_text.h"

namespace plastiscope {

namespace {

class LegendStrip : public QCPLayoutElement {
 public:
  LegendStrip(QCustomPlot& plot, const PlotStyle& style, QCPAxisRect& below, std::vector<LegendEntry> entries)
      : QCPLayoutElement(&plot), m_style(style), m_below(&below), m_entries(std::move(entries)) {
    setLayer("axes");
    setMargins(QMargins(0, m_style.units(1), 0, 0));
  }
  QSize minimumOuterSizeHint() const override { return {1, height()}; }
  QSize maximumOuterSizeHint() const override { return {QWIDGETSIZE_MAX, height()}; }

 protected:
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }

  void draw(QCPPainter* painter) override {
    const double em = m_style.tick.pixelSize(), line = QFontMetricsF(m_style.tick).height();
    std::vector<RichText> texts;
    std::vector<double> widths;
    for (const LegendEntry& entry : m_entries) {
      texts.emplace_back(entry.text + entry.detail, m_style.tick);
      widths.push_back(entry.symbolWidth * em +
                       (entry.text.isEmpty() ? 0 : 0.5 * em + texts.back().size().width()));
    }
    const double spacing = 1.4 * em;
    double left = m_below->left();
    const double right = std::max(m_below->right(), mRect.right());
    std::size_t shown = fitting(widths, spacing, right - left);
    if (shown < widths.size()) {  // the room above the axis labels helps
      left = std::max<double>(mOuterRect.left(), 2);
      shown = fitting(widths, spacing, right - left);
    }
    double x = left;
    const double top = mRect.top() + (mRect.height() - line) / 2.0;
    for (std::size_t i = 0; i < shown; ++i) {
      const double symbol = m_entries[i].symbolWidth * em;
      painter->save();
      m_entries[i].symbol(*painter, QRectF(x, top + 0.12 * line, symbol, 0.76 * line));
      painter->restore();
      painter->setPen(m_style.colours.text);
      texts[i].draw(*painter, {x + symbol + 0.5 * em, top});
      x += widths[i] + spacing;
    }
  }

 private:
  int height() const { return static_cast<int>(QFontMetricsF(m_style.tick).height() + m_style.u(3)); }
  static std::size_t fitting(const std::vector<double>& widths, double spacing, double room) {
    double used = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      used += widths[i];
      if (used > room + 1) return i;
      used += spacing;
    }
    return widths.size();
  }

  PlotStyle m_style;
  QCPAxisRect* m_below;
  std::vector<LegendEntry> m_entries;
};

}  // namespace

void addLegend(const FigurePlace& place, int row, int column, const PlotStyle& style, QCPAxisRect& below,
               std::vector<LegendEntry> entries) {
  if (PanelFurniture* kept = place.furniture()) {
    kept->legend = std::move(entries);
    return;
  }
  place.grid().addElement(row, column, new LegendStrip(place.plot(), style, below, std::move(entries)));
}

LegendEntry lineEntry(const QString& text, const QPen& line) {
  return {text, 2.0, [line](QCPPainter& painter, const QRectF& box) {
            painter.setPen(line);
            painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()));
          }};
}

LegendEntry pointEntry(const QString& text, const QColor& fill, const QPen& rim, double size) {
  return {text, 0.8, [fill, rim, size](QCPPainter& painter, const QRectF& box) {
            painter.setPen(rim);
            painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
            painter.drawEllipse(box.center(), size / 2, size / 2);
          }};
}

LegendEntry linePointEntry(const QString& text, const QPen& line, const QColor& fill, double size) {
  return {text, 2.0, [line, fill, size](QCPPainter& painter, const QRectF& box) {
            painter.setPen(line);
            painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()));
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawEllipse(box.center(), size / 2, size / 2);
          }};
}

LegendEntry boxEntry(const QString& text, const QColor& fill, const QPen& rim) {
  return {text, 1.2, [fill, rim](QCPPainter& painter, const QRectF& box) {
            painter.setPen(rim);
            painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
            painter.drawRect(box.adjusted(0, 0.1 * box.height(), 0, -0.1 * box.height()));
          }};
}

LegendEntry rampEntry(const QString& text, const std::array<QColor, 4>& ramp) {
  return {text, 4.0, [ramp](QCPPainter& painter, const QRectF& box) {
            // Each step reaches to the right end, so that no seam shows between steps.
            constexpr int kSteps = 16;
            painter.setPen(Qt::NoPen);
            for (int i = 0; i < kSteps; ++i) {
              QRectF step = box.adjusted(0, 0.12 * box.height(), 0, -0.12 * box.height());
              step.setLeft(box.left() + box.width() * i / kSteps);
              painter.setBrush(rampColour(ramp, i / (kSteps - 1.0)));
              painter.drawRect(step);
            }
          }};
}

}  // namespace plastiscope
