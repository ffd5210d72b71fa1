#pragma once
// A first walk through the panels: one small card after the other, each beside the panel that it speaks of.
// The steps stand in resources/help/tour.json.
#include <QFrame>
#include <QPointer>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace plastiscope {

struct TourStep {
  QString view;  // id of a panel (view_panel.h)
  QString title, text;
};
const std::vector<TourStep>& tourSteps();

// Over the window, which stays as usable as it is; it deletes itself when it is closed.
class TourCard : public QFrame {
  Q_OBJECT
 public:
  // Brings a view to the front and says in which panel it stands; null: it cannot be shown.
  using ShowView = std::function<QWidget*(const QString& view)>;
  TourCard(ShowView show, QWidget* window);
  ~TourCard() override;

  void go(int step);  // from 0; beyond the last one the tour ends
  int step() const { return m_step; }
  const QWidget* panel() const { return m_panel; }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void settle();  // beside the panel

  ShowView m_show;
  int m_step = -1;
  QPointer<QWidget> m_panel;
  QPointer<QWidget> m_frame;  // around the panel; the window may go first
  QLabel *m_count, *m_title, *m_text;
  QPushButton *m_back, *m_next;
};

}  // namespace plastiscope
