#include "widgets/state/small_widgets.h"

#include <algorithm>

#include "widgets/state/icons.h"

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

// ---- lock button

LockButton::LockButton(QWidget* parent) : QToolButton(parent) {
  setCheckable(true);
  setIconSize({12, 12});
  setFocusPolicy(Qt::TabFocus);
  setLocked(false);
  connect(this, &QToolButton::clicked, this, &LockButton::lockRequested);
}

void LockButton::setLocked(bool locked) {
  setChecked(locked);
  setIcon(lineIcon(locked ? QStringLiteral("lock") : QStringLiteral("unlock")));
  setToolTip(locked ? tr("This range is locked in all heads and tabs; click to unlock it")
                    : tr("Lock this range: the same in all heads and tabs"));
  setAccessibleName(tr("Lock the range"));
}

}  // namespace plastiscope
