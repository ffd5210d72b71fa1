#pragma once
// Work for a panel is only done while the panel can be seen: what becomes stale behind a tab waits there.
#include <QEvent>
#include <QWidget>
#include <functional>

namespace plastiscope {

class WhenVisible : public QObject {
 public:
  WhenVisible(QWidget& panel, std::function<void()> refresh)
      : QObject(&panel), m_panel(panel), m_refresh(std::move(refresh)) {
    panel.installEventFilter(this);
  }

  // What the panel shows is no longer true.
  void stale() {
    m_stale = true;
    refreshIfSeen();
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Show) refreshIfSeen();
    return false;
  }

 private:
  void refreshIfSeen() {
    if (!m_stale || !m_panel.isVisible()) return;
    m_stale = false;
    m_refresh();
  }

  QWidget& m_panel;
  std::function<void()> m_refresh;
  bool m_stale = false;
};

}  // namespace plastiscope
