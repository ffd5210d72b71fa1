#pragma once
// Notes which panel of a page the pointer entered last, or has the keyboard: what export, F10 and the help
// mean by "this one".
#include <QList>
#include <QPointer>
#include <QWidget>

namespace plastiscope {

class EnteredPanel : public QObject {
  Q_OBJECT
 public:
  EnteredPanel();
  void watch(QWidget* panel);
  void enter(QWidget* panel);                 // as if the pointer had
  QWidget* panel() const { return m_panel; }  // null before the first

 Q_SIGNALS:
  void entered(QWidget* panel);  // also again

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void followKeyboard(const QWidget& now);

  QList<QPointer<QWidget>> m_watched;
  QPointer<QWidget> m_panel;
};

}  // namespace plastiscope
