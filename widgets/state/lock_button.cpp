#include "widgets/state/lock_button.h"

#include "widgets/state/icons.h"

namespace plastiscope {

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
