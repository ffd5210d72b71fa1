#include "widgets/forms/dialog_parts.h"

#include <QClipboard>
#include <QDialog>
#include <QFileDialog>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace plastiscope {

DialogButtons::DialogButtons(const Words& words, QDialog* dialog)
    : QWidget(dialog),
      m_startTip(words.startTip),
      m_hint(new QLabel(this)),
      m_start(new QPushButton(words.start, this)) {
  m_hint->setProperty("muted", true);
  m_hint->setTextFormat(Qt::PlainText);
  m_hint->setObjectName(words.name + QStringLiteral("Hint"));
  m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* cancel = new QPushButton(tr("Cancel"), this);
  cancel->setAutoDefault(false);
  cancel->setToolTip(words.cancelTip);
  m_start->setObjectName(words.name + QStringLiteral("Start"));
  m_start->setAutoDefault(false);
  m_start->setDefault(true);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_hint, 1);
  row->addWidget(cancel);
  row->addWidget(m_start);
  connect(cancel, &QPushButton::clicked, dialog, &QDialog::reject);
  connect(m_start, &QPushButton::clicked, this, &DialogButtons::startRequested);
}

void DialogButtons::showState(const QString& lacking, const QString& hint) {
  m_start->setEnabled(lacking.isEmpty());
  m_start->setToolTip(lacking.isEmpty() ? m_startTip : plainTip(lacking));
  say(lacking.isEmpty() ? hint : lacking);
}

void DialogButtons::say(const QString& sentence) {
  m_hint->setText(sentence);
  m_hint->setToolTip(plainTip(sentence));
}

// ---- save box

SaveBox::SaveBox(Words words, QWidget* parent)
    : QWidget(parent), m_words(std::move(words)), m_file(new QLineEdit(this)) {
  m_file->setObjectName(QStringLiteral("outFile"));
  m_file->setAccessibleName(tr("Save as"));
  m_file->setToolTip(m_words.tip);
  auto* other = new QPushButton(QStringLiteral("…"), this);
  other->setAutoDefault(false);
  other->setToolTip(tr("Choose where to save"));
  other->setAccessibleName(other->toolTip());
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_file, 1);
  row->addWidget(other);
  setFocusProxy(m_file);
  connect(m_file, &QLineEdit::textEdited, this, [this] {
    m_byHand = true;
    Q_EMIT changed();
  });
  connect(other, &QPushButton::clicked, this, &SaveBox::browse);
}

void SaveBox::suggest(const std::filesystem::path& file) {
  const QString text = fileText(file);
  if (m_byHand || text == m_file->text()) return;
  m_file->setText(text);
  m_file->setCursorPosition(0);
}

std::filesystem::path SaveBox::file() const {
  return fileOfText(m_file->text());
}

void SaveBox::browse() {
  const QString chosen = QFileDialog::getSaveFileName(this, m_words.title, m_file->text(), m_words.filter);
  if (chosen.isEmpty()) return;
  m_byHand = true;
  m_file->setText(fileText(chosen.toStdString()));
  Q_EMIT changed();
}

// ---- command box

namespace {
constexpr int kLines = 5, kPadding = 4;
}

CommandBox::CommandBox(const QString& copyTip, QWidget* parent)
    : QFrame(parent), m_command(new QPlainTextEdit(this)) {
  setProperty("card", QStringLiteral("true"));
  m_command->setObjectName(QStringLiteral("commandLine"));
  m_command->setAccessibleName(tr("Command line"));
  m_command->setReadOnly(true);
  m_command->setTabChangesFocus(true);
  m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_command->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  m_command->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  m_command->setFrameShape(QFrame::NoFrame);
  m_command->setStyleSheet(QStringLiteral("QPlainTextEdit { border: none; padding: 0; }"));
  m_command->document()->setDocumentMargin(0);
  auto* title = new QLabel(tr("Command line"), this);
  title->setProperty("strong", true);
  auto* copy = new QPushButton(lineIcon(QStringLiteral("copy")), tr("&Copy"), this);
  copy->setAutoDefault(false);
  copy->setProperty("small", true);
  copy->setToolTip(copyTip);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(10, 5, 6, 3);
  head->addWidget(title);
  head->addStretch(1);
  head->addWidget(copy);
  auto* inner = new QVBoxLayout(this);
  inner->setContentsMargins(1, 1, 1, 1);
  inner->setSpacing(0);
  inner->addLayout(head);
  auto* body = new QHBoxLayout;
  body->setContentsMargins(kPadding, kPadding, kPadding, kPadding);
  body->addWidget(m_command);
  inner->addLayout(body);
  connect(copy, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_command->toPlainText()); });
}

// Whole lines of the font that the theme has given by now: no line is cut in half.
void CommandBox::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  m_command->ensurePolished();
  m_command->setFixedHeight(kLines * m_command->fontMetrics().lineSpacing());
}

void CommandBox::setCommand(const QString& command) {
  if (command != m_command->toPlainText()) m_command->setPlainText(command);
}

}  // namespace plastiscope
