#include "widgets/state/turns.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QTimer>
#include <QWidget>
#include <algorithm>
#include <deque>

namespace plastiscope {

// The current slice, and the work waiting for it or the next one. Outlives the program's objects.
class SharedTurn {
 public:
  static SharedTurn& ofProgram() {
    static auto* shared = new SharedTurn;
    return *shared;
  }
  // The first request starts a slice, the event loop starts the next one.
  void join(Turns& one) {
    wait(one);
    if (m_running) return;
    if (!m_next.isActive()) begin();
    run();
  }
  void joinNext(Turns& one) {
    wait(one);
    if (!m_next.isActive()) m_next.start(0);
  }
  void leave(const Turns& one) { std::erase(m_waiting, &one); }

 private:
  SharedTurn() {
    m_next.setSingleShot(true);
    QObject::connect(&m_next, &QTimer::timeout, &m_next, [this] {
      if (m_waiting.empty()) return;
      begin();
      run();
    });
  }
  void wait(Turns& one) {
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
      Turns& one = *m_waiting.front();
      m_waiting.pop_front();
      if (!one.m_of.isVisible()) continue;  // its next Show event asks again
      one.m_more = one.m_piece();
      if (one.m_more) m_waiting.push_back(&one);
    }
    m_running = false;
  }

  std::deque<Turns*> m_waiting;
  QTimer m_next;
  QElapsedTimer m_clock;
  bool m_running = false;
};

Turns::Turns(QWidget& of, std::function<bool()> piece) : QObject(&of), m_of(of), m_piece(std::move(piece)) {
  of.installEventFilter(this);
}

Turns::~Turns() {
  SharedTurn::ofProgram().leave(*this);
}

void Turns::start() {
  m_more = true;
  if (m_of.isVisible()) SharedTurn::ofProgram().join(*this);
}

void Turns::startLater() {
  m_more = true;
  if (m_of.isVisible()) SharedTurn::ofProgram().joinNext(*this);
}

bool Turns::done() const {
  return !m_more || !m_of.isVisible();
}

bool Turns::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Show && m_more) start();
  return QObject::eventFilter(object, event);
}

}  // namespace plastiscope
