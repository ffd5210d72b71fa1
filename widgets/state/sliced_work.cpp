#include "widgets/state/sliced_work.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QTimer>
#include <QWidget>
#include <algorithm>
#include <deque>

namespace plastiscope {

// The current slice, and the work waiting for it or the next one. Outlives the program's objects.
class SharedSlice {
 public:
  static SharedSlice& ofProgram() {
    static auto* shared = new SharedSlice;
    return *shared;
  }
  // The first request starts a slice, the event loop starts the next one.
  void join(SlicedWork& one) {
    wait(one);
    if (m_running) return;
    if (!m_next.isActive()) begin();
    run();
  }
  void joinNext(SlicedWork& one) {
    wait(one);
    if (!m_next.isActive()) m_next.start(0);
  }
  void leave(const SlicedWork& one) { std::erase(m_waiting, &one); }

 private:
  SharedSlice() {
    m_next.setSingleShot(true);
    QObject::connect(&m_next, &QTimer::timeout, &m_next, [this] {
      if (m_waiting.empty()) return;
      begin();
      run();
    });
  }
  void wait(SlicedWork& one) {
    if (std::ranges::find(m_waiting, &one) == m_waiting.end()) m_waiting.push_back(&one);
  }
  void begin() {
    m_clock.start();
    m_next.start(0);
  }
  void run() {
    constexpr qint64 kTurn = 4;  // milliseconds; painting follows at the end
    m_running = true;
    while (!m_waiting.empty() && m_clock.elapsed() < kTurn) {
      SlicedWork& one = *m_waiting.front();
      m_waiting.pop_front();
      if (!one.m_of.isVisible()) continue;  // its next Show event asks again
      one.m_more = one.m_piece();
      if (one.m_more) m_waiting.push_back(&one);
    }
    m_running = false;
  }

  std::deque<SlicedWork*> m_waiting;
  QTimer m_next;
  QElapsedTimer m_clock;
  bool m_running = false;
};

SlicedWork::SlicedWork(QWidget& of, std::function<bool()> piece)
    : QObject(&of), m_of(of), m_piece(std::move(piece)) {
  of.installEventFilter(this);
}

SlicedWork::~SlicedWork() {
  SharedSlice::ofProgram().leave(*this);
}

void SlicedWork::start() {
  m_more = true;
  if (m_of.isVisible()) SharedSlice::ofProgram().join(*this);
}

void SlicedWork::startLater() {
  m_more = true;
  if (m_of.isVisible()) SharedSlice::ofProgram().joinNext(*this);
}

bool SlicedWork::done() const {
  return !m_more || !m_of.isVisible();
}

bool SlicedWork::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Show && m_more) start();
  return QObject::eventFilter(object, event);
}

}  // namespace plastiscope
