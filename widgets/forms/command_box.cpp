#include "widgets/forms/command_box.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/state/icons.h"

namespace plastiscope {

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
