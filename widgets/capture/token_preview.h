#pragma once
// The first tokens of a text, each with its own background: what the tokenizer makes of it.
#include <QFrame>

#include "widgets/capture/text_source.h"

class QLabel;
class QTextEdit;

namespace plastiscope {

class TokenPreview : public QFrame {
  Q_OBJECT
 public:
  explicit TokenPreview(QWidget* parent = nullptr);
  void setTokenizerText(const QString& description);
  void setHint(const QString& hint);  // what is missing, while there is nothing to show
  void show(const QString& name, const TextCount& count);
  using QWidget::show;

 private:
  QLabel *m_title, *m_tokenizer, *m_count, *m_ratio;
  QTextEdit* m_text;
};

}  // namespace plastiscope
