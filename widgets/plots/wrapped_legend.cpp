#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/plots/panel_furniture.h"
#include "widgets/plots/rich_text.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

class WrappedLegend : public QCPLayoutElement {
 public:
  WrappedLegend(QCustomPlot& plot, const PlotStyle& style, std::vector<LegendEntry> entries, double share)
      : QCPLayoutElement(&plot), m_style(style), m_entries(std::move(entries)), m_share(share) {
    setLayer("axes");
    setObjectName(QStringLiteral("wrappedLegend"));  // titles of axes ask for it (panel.cpp)
    setMargins(QMargins(0, m_style.units(1), 0, 0));
    for (const LegendEntry& entry : m_entries) {
      m_texts.emplace_back(entry.text + entry.detail, m_style.tick);
      m_widths.push_back(symbolWidth(entry) + m_texts.back().size().width());
    }
  }
  QSize minimumOuterSizeHint() const override { return {1, height()}; }
  QSize maximumOuterSizeHint() const override { return {QWIDGETSIZE_MAX, height()}; }

 protected:
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }

  void draw(QCPPainter* painter) override {
    const std::vector<std::size_t> firsts = lines();
    double y = mRect.top();
    for (std::size_t line = 0; line < firsts.size(); ++line) {
      double x = left();
      const std::size_t end = line + 1 < firsts.size() ? firsts[line + 1] : m_entries.size();
      for (std::size_t i = firsts[line]; i < end; ++i) {
        const double symbol = m_entries[i].symbolWidth * em();
        painter->save();
        m_entries[i].symbol(*painter, QRectF(x, y + 0.12 * lineHeight(), symbol, 0.76 * lineHeight()));
        painter->restore();
        painter->setPen(m_style.colours.text);
        m_texts[i].draw(*painter, {x + symbolWidth(m_entries[i]), y});
        x += m_widths[i] + 1.4 * em();
      }
      y += lineHeight() + m_style.u(1);
    }
  }

 private:
  // With the gap between symbol and text.
  double symbolWidth(const LegendEntry& entry) const {
    return entry.symbolWidth > 0 ? (entry.symbolWidth + 0.5) * em() : 0;
  }
  double em() const { return m_style.tick.pixelSize(); }
  double lineHeight() const { return QFontMetricsF(m_style.tick).height(); }
  double left() const { return mOuterRect.left() + m_style.u(4); }
  // The width is known before the layout: a share of that of the plot.
  double room() const {
    return m_share * mParentPlot->viewport().width() - m_style.u(m_style.print ? 6 : 12);
  }

  // First entry of each line.
  std::vector<std::size_t> lines() const {
    std::vector<std::size_t> firsts;
    double used = 0;
    for (std::size_t i = 0; i < m_widths.size(); ++i) {
      if (firsts.empty() || used + m_widths[i] > room()) {
        firsts.push_back(i);
        used = 0;
      }
      used += m_widths[i] + 1.4 * em();
    }
    return firsts;
  }
  int height() const {
    return static_cast<int>(std::ceil(static_cast<double>(std::max<std::size_t>(1, lines().size())) *
                                          (lineHeight() + m_style.u(1)) +
                                      m_style.u(2)));
  }

  PlotStyle m_style;
  std::vector<LegendEntry> m_entries;
  std::vector<RichText> m_texts;
  std::vector<double> m_widths;
  double m_share;
};

}  // namespace

void addWrappedLegend(const FigurePlace& place, int row, int column, const PlotStyle& style,
                      std::vector<LegendEntry> entries, double share) {
  if (PanelFurniture* kept = place.furniture()) {
    kept->legend = std::move(entries);
    return;
  }
  place.grid().addElement(row, column, new WrappedLegend(place.plot(), style, std::move(entries), share));
}

}  // namespace plastiscope
