#pragma once
// Splits work that only the GUI thread can do, such as filling many views, into slices of a few milliseconds,
// so that the window stays responsive. All work of the program shares one slice, so that views shown together
// take turns.
#include <QObject>
#include <functional>

class QWidget;

namespace plastiscope {

class SlicedWork : public QObject {
 public:
  // `piece` does one piece of the work and returns true if more is left; called while `of` is visible.
  SlicedWork(QWidget& of, std::function<bool()> piece);
  ~SlicedWork() override;
  void start();       // work is available; some is done at once if time is left in this slice
  void startLater();  // in the next slice: current code may still change the work
  bool done() const;  // no work left, or the widget is hidden

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  friend class SharedSlice;

  QWidget& m_of;
  std::function<bool()> m_piece;
  bool m_more = false;
};

}  // namespace plastiscope
