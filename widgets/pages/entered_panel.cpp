#include "widgets/pages/entered_panel.h"

#include <QApplication>
#include <QEvent>

namespace plastiscope {

EnteredPanel::EnteredPanel() {
  connect(qApp, &QApplication::focusChanged, this, [this](const QWidget* old, const QWidget* now) {
    // From a widget that went away the toolkit moved the keyboard, no person.
    if (old && old->isVisible() && now) followKeyboard(*now);
  });
}

void EnteredPanel::watch(QWidget* panel) {
  m_watched.append(panel);
  panel->installEventFilter(this);
}

void EnteredPanel::enter(QWidget* panel) {
  m_panel = panel;
  Q_EMIT entered(panel);
}

bool EnteredPanel::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Enter) enter(static_cast<QWidget*>(object));
  return QObject::eventFilter(object, event);
}

// The keyboard goes to a widget inside of a panel, which hears nothing of it.
void EnteredPanel::followKeyboard(const QWidget& now) {
  for (const QPointer<QWidget>& panel : m_watched) {
    if (panel && (panel == &now || panel->isAncestorOf(&now))) return enter(panel);
  }
}

}  // namespace plastiscope
