#include "widgets/state/elided_label.h"

#include <algorithm>

namespace plastiscope {

ElidedLabel::ElidedLabel(int most, QWidget* parent, int least)
    : QLabel(parent), m_most(most), m_least(least) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void ElidedLabel::setName(const QString& name) {
  m_name = name;
  ensurePolished();  // the style may make it bold, and with that wider
  setMaximumWidth(whole());
  setText(fontMetrics().elidedText(m_name, Qt::ElideMiddle, std::min(width(), whole())));
  updateGeometry();
}

int ElidedLabel::whole() const {
  return std::min(m_most, fontMetrics().horizontalAdvance(m_name) + 4);
}

QSize ElidedLabel::sizeHint() const {
  return {whole(), fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
  return {std::min(m_least, whole()), fontMetrics().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  setText(fontMetrics().elidedText(m_name, Qt::ElideMiddle, width()));
}

}  // namespace plastiscope
