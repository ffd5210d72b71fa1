#pragma once
// Completes the word that is being typed at the end of a line, for expressions.
#include <QCompleter>
#include <QStringListModel>
#include <functional>

class QLineEdit;

namespace plastiscope {

class WordCompleter : public QCompleter {
  Q_OBJECT
 public:
  // `words` is called when the field gets the focus. The field owns the completer.
  WordCompleter(QLineEdit& field, std::function<QStringList()> words);

  QStringList splitPath(const QString& text) const override;
  QString pathFromIndex(const QModelIndex& index) const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLineEdit& m_field;
  std::function<QStringList()> m_words;
  QStringListModel m_model;
};

}  // namespace plastiscope
