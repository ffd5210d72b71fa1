#pragma once
// Work that only the GUI thread can do, such as filling very many views, in turns of a few milliseconds
// between which the window answers. All work of the program shares one turn: views that are shown together
// wait for each other.
#include <QObject>
#include <functional>

class QWidget;

namespace plastiscope {

class Turns : public QObject {
 public:
  // `piece` does one piece of the work and says whether more is left; it is called while `of` is visible.
  Turns(QWidget& of, std::function<bool()> piece);
  ~Turns() override;
  void start();       // there is work; some of it is done at once where this turn has time
  void startLater();  // the same in the next turn: more of what one does now may change it
  bool done() const;  // or nobody sees that there is more

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  friend class SharedTurn;

  QWidget& m_of;
  std::function<bool()> m_piece;
  bool m_more = false;
};

}  // namespace plastiscope
