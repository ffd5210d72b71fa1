#pragma once
// Tour of the panels: a sequence of small cards, each beside its panel. The steps are in
// resources/help/tour.json.
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

// Overlay on the window, which remains usable; deletes itself when closed.
class TourCard : public QFrame {
  Q_OBJECT
 public:
  // Raises a view and returns its panel; null: it cannot be shown.
  using ShowView = std::function<QWidget*(const QString& view)>;
  TourCard(ShowView show, QWidget* window);
  ~TourCard() override;

  void go(int step);  // from 0; after the last step the tour ends
  int step() const { return m_step; }
  const QWidget* panel() const { return m_panel; }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void settle();  // places the card beside the panel

  ShowView m_show;
  int m_step = -1;
  QPointer<QWidget> m_panel;
  QPointer<QWidget> m_frame;  // around the panel; the window may be destroyed first
  QLabel *m_count, *m_title, *m_text;
  QPushButton *m_back, *m_next;
};

}  // namespace plastiscope
