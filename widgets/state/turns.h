#pragma once
// Work that only the GUI thread can do, such as filling very many pictures, in turns between which the window
// answers.
#include <QObject>
#include <QTimer>
#include <functional>

class QWidget;

namespace plastiscope {

class Turns : public QObject {
 public:
  // `piece` does one piece of the work and says whether more is left; it is called while `of` is visible.
  Turns(QWidget& of, std::function<bool()> piece);
  void start();       // there is work
  bool done() const;  // or nobody sees that there is more

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void run();

  QWidget& m_of;
  std::function<bool()> m_piece;
  QTimer m_timer;
  bool m_more = false;
};

}  // namespace plastiscope
