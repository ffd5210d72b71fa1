#include "widgets/panels/spread_bars.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <numeric>

#include "widgets/plots/plot_style.h"

namespace plastiscope {
namespace {

constexpr int kWidth = 190, kHeight = 24, kSpace = 4;

}  // namespace

SpreadBars::SpreadBars(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Spread of PP over key pairs"));
  setFixedSize(sizeHint());
}

QSize SpreadBars::sizeHint() const {
  return {kWidth, kHeight};
}

void SpreadBars::setCounts(std::vector<std::int64_t> counts) {
  m_counts = std::move(counts);
  const std::int64_t all = std::accumulate(m_counts.begin(), m_counts.end(), std::int64_t{0});
  setAccessibleDescription(all > 0 ? tr("%1 pairs").arg(QLocale::c().toString(all)) : tr("no pairs"));
  update();
}

QRectF SpreadBars::barsRect() const {
  const QFontMetrics metrics(font());
  const int left = metrics.horizontalAdvance(tr("PP 0")) + kSpace,
            right = metrics.horizontalAdvance("1") + kSpace;
  return QRectF(rect()).adjusted(left, 1, -right, -2);
}

void SpreadBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const PlotColours colours = plotColours(themeOf(palette()), false);
  const QRectF box = barsRect();
  painter.setPen(colours.muted);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, tr("PP 0"));
  painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("1"));
  painter.drawLine(QLineF(box.bottomLeft(), box.bottomRight()));
  const std::int64_t most = m_counts.empty() ? 0 : *std::max_element(m_counts.begin(), m_counts.end());
  if (most == 0) return;
  const double step = box.width() / static_cast<double>(m_counts.size());
  for (std::size_t i = 0; i < m_counts.size(); ++i) {
    const double height = box.height() * static_cast<double>(m_counts[i]) / static_cast<double>(most);
    // A bin with any pair shows at least a line.
    const double seen = m_counts[i] > 0 ? std::max(1.0, height) : 0;
    painter.fillRect(QRectF(box.left() + static_cast<double>(i) * step, box.bottom() - seen, step - 1, seen),
                     colours.selection);
  }
}

bool SpreadBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || m_counts.empty()) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QRectF box = barsRect();
  const auto steps = static_cast<double>(m_counts.size());
  const double place = (help->pos().x() - box.left()) / box.width() * steps;
  if (place < 0 || place >= steps) return QWidget::event(event);
  const auto step = static_cast<std::size_t>(place);
  QToolTip::showText(help->globalPos(),
                     tr("PP %1 to %2: %3 pairs")
                         .arg(static_cast<double>(step) / steps, 0, 'f', 2)
                         .arg(static_cast<double>(step + 1) / steps, 0, 'f', 2)
                         .arg(QLocale::c().toString(m_counts[step])),
                     this);
  return true;
}

}  // namespace plastiscope

#include "moc_spread_bars.cpp"
