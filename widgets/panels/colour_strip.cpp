#include "widgets/panels/colour_strip.h"

#include <QPainter>

#include "core/views/metric_info.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {
namespace {

constexpr int kTextGap = 8, kStripWidth = 72;

}  // namespace

ColourStrip::ColourStrip(QWidget* parent) : QWidget(parent) {
  setToolTip(tr("The middle 98 % of the captured rows of this text"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void ColourStrip::setScale(QueryOrKey kind, std::pair<double, double> range) {
  m_kind = kind;
  m_range = range;
  setAccessibleName(tr("Colours from %1 to %2").arg(text(range.first), text(range.second)));
  updateGeometry();
  update();
}

QString ColourStrip::text(double value) const {
  return QString::fromStdString(fixedText(value, m_range.second - m_range.first < 5 ? 2 : 1));
}

QSize ColourStrip::sizeHint() const {
  const QFontMetrics metrics(font());
  return {metrics.horizontalAdvance(text(m_range.first)) + metrics.horizontalAdvance(text(m_range.second)) +
              kStripWidth + 2 * kTextGap,
          metrics.height()};
}

void ColourStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetrics metrics(font());
  painter.setPen(plotColours(themeOf(palette()), false).muted);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, text(m_range.first));
  painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, text(m_range.second));
  const int left = metrics.horizontalAdvance(text(m_range.first)) + kTextGap;
  const ColourMap& colours = kindColours(m_kind, themeOf(palette()));
  for (int x = 0; x < kStripWidth; ++x)
    painter.fillRect(left + x, 3, 1, height() - 6, QColor(colours.at(static_cast<double>(x) / kStripWidth)));
}

}  // namespace plastiscope

#include "moc_colour_strip.cpp"
