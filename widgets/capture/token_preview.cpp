#include "widgets/capture/token_preview.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QTextCursor>
#include <QTextEdit>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "widgets/state/file_text.h"
#include "widgets/state/theme.h"

namespace plastiscope {
namespace {

QLabel* note(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setProperty("muted", true);
  label->setTextFormat(Qt::PlainText);
  return label;
}

}  // namespace

TokenPreview::TokenPreview(QWidget* parent)
    : QFrame(parent),
      m_title(new QLabel(this)),
      m_tokenizer(note(this)),
      m_count(note(this)),
      m_ratio(note(this)),
      m_text(new QTextEdit(this)) {
  setProperty("card", QStringLiteral("true"));
  m_title->setProperty("strong", true);
  m_title->setText(tr("Tokens"));
  m_tokenizer->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_tokenizer->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_text->setObjectName(QStringLiteral("tokenPreview"));
  m_text->setReadOnly(true);
  m_text->setTabChangesFocus(true);
  m_text->setAccessibleName(tr("Tokens of the text"));
  m_text->setFrameShape(QFrame::NoFrame);
  m_text->setStyleSheet(QStringLiteral("QTextEdit { border: none; }"));
  m_text->document()->setDocumentMargin(9);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(10, 7, 10, 5);
  head->addWidget(m_title);
  head->addWidget(m_tokenizer, 1);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(10, 4, 10, 7);
  foot->addWidget(m_count);
  foot->addStretch(1);
  foot->addWidget(m_ratio);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(m_text, 1);
  column->addLayout(foot);
}

void TokenPreview::setTokenizerText(const QString& description) {
  m_tokenizer->setText(description);
  m_tokenizer->setToolTip(plainTip(description));
}

void TokenPreview::setHint(const QString& hint) {
  m_text->setPlaceholderText(hint);
}

void TokenPreview::show(const QString& name, const TextCount& count) {
  m_title->setTextFormat(Qt::PlainText);
  m_title->setText(tr("Tokens of %1").arg(name));
  m_text->clear();
  QTextCursor cursor(m_text->document());
  cursor.beginEditBlock();
  const ThemeColours& theme = currentTheme();
  bool odd = false;
  for (const std::string& piece : count.pieces) {
    QTextCharFormat format;
    format.setBackground(theme[odd ? QStringLiteral("token_two") : QStringLiteral("token_one")]);
    odd = !odd;
    QString text = QString::fromStdString(piece);
    text.replace(QLatin1Char('\n'), QStringLiteral("↵"));
    text.replace(QLatin1Char('\t'), QStringLiteral("→"));
    cursor.insertText(text, format);
  }
  if (count.moreTokens) cursor.insertText(QStringLiteral(" …"), QTextCharFormat());
  cursor.endEditBlock();
  m_text->moveCursor(QTextCursor::Start);
  const std::int64_t tokens = count.total();
  m_count->setText(tr("%1 tokens, %2 bytes")
                       .arg(QString::fromStdString(withCommas(tokens)),
                            QString::fromStdString(withCommas(count.characters))));
  m_ratio->setText(
      tokens > 0 ? tr("%1 bytes a token")
                       .arg(static_cast<double>(count.characters) / static_cast<double>(tokens), 0, 'f', 1)
                 : QString());
}

}  // namespace plastiscope
