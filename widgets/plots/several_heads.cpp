#include "widgets/plots/several_heads.h"

#include <QPainter>
#include <utility>

namespace plastiscope {

std::optional<QRectF> DrawnRectangle::end() {
  constexpr double kClick = 4;  // pixels
  const auto from = std::exchange(m_from, std::nullopt);
  if (!from || (m_to - *from).manhattanLength() <= kClick) return {};
  return QRectF(*from, m_to).normalized();
}

void DrawnRectangle::paint(QPainter& painter, const PlotStyle& style) const {
  if (!m_from) return;
  QColor inside = style.colours.selection;
  inside.setAlphaF(0.2F);
  painter.setBrush(inside);
  painter.setPen(pen(style.colours.selection, 1.2, Qt::DashLine));
  painter.drawRect(QRectF(*m_from, m_to).normalized());
}

std::vector<HeadName> toggled(const std::vector<HeadName>& several, HeadName head,
                              const std::vector<HeadName>& heads) {
  std::vector<HeadName> left = several.empty() ? std::vector{head} : several;
  for (const HeadName& each : heads) {
    if (std::erase(left, each) == 0) left.push_back(each);
  }
  return left;
}

}  // namespace plastiscope
