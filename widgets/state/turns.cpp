#include "widgets/state/turns.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QWidget>

namespace plastiscope {

namespace {
constexpr qint64 kTurn = 4;  // milliseconds, and what is filled is drawn at the end of it
}

Turns::Turns(QWidget& of, std::function<bool()> piece) : QObject(&of), m_of(of), m_piece(std::move(piece)) {
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, &Turns::run);
  of.installEventFilter(this);
}

void Turns::start() {
  m_more = true;
  m_timer.start(0);
}

bool Turns::done() const {
  return !m_more || !m_of.isVisible();
}

void Turns::run() {
  QElapsedTimer clock;
  clock.start();
  while (m_more && m_of.isVisible() && clock.elapsed() < kTurn) m_more = m_piece();
  if (m_more && m_of.isVisible()) m_timer.start(0);
}

bool Turns::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Show && m_more) m_timer.start(0);
  return QObject::eventFilter(object, event);
}

}  // namespace plastiscope
