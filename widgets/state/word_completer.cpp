#include "widgets/state/word_completer.h"

#include <QEvent>
#include <QLineEdit>

namespace plastiscope {
namespace {

constexpr int kMaxShown = 12;

// Where the word at the end of a text begins.
qsizetype lastWordStart(const QString& text) {
  qsizetype start = text.size();
  while (start > 0) {
    const QChar before = text[start - 1];
    if (!before.isLetterOrNumber() && before != QLatin1Char('_') && before != QLatin1Char(':')) break;
    --start;
  }
  return start;
}

}  // namespace

WordCompleter::WordCompleter(QLineEdit& field, std::function<QStringList()> words)
    : QCompleter(&field), m_field(field), m_words(std::move(words)) {
  setModel(&m_model);
  setCaseSensitivity(Qt::CaseInsensitive);
  setMaxVisibleItems(kMaxShown);
  m_model.setStringList(m_words());
  field.setCompleter(this);
  field.installEventFilter(this);
}

QStringList WordCompleter::splitPath(const QString& text) const {
  const QString word = text.mid(lastWordStart(text));
  // No list for nothing typed, or for a number.
  return {word.isEmpty() || word[0].isDigit() ? QStringLiteral("\n") : word};
}

QString WordCompleter::pathFromIndex(const QModelIndex& index) const {
  const QString text = m_field.text();
  return text.left(lastWordStart(text)) + index.data(completionRole()).toString();
}

bool WordCompleter::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &m_field && event->type() == QEvent::FocusIn) m_model.setStringList(m_words());
  return QCompleter::eventFilter(watched, event);
}

}  // namespace plastiscope

#include "moc_word_completer.cpp"
