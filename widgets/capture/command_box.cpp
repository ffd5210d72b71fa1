#include "widgets/capture/command_box.h"

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
constexpr int kHeight = 96;
}

CommandBox::CommandBox(QWidget* parent) : QFrame(parent), m_command(new QPlainTextEdit(this)) {
  setProperty("card", QStringLiteral("true"));
  m_command->setObjectName(QStringLiteral("captureCommand"));
  m_command->setAccessibleName(tr("Command line"));
  m_command->setReadOnly(true);
  m_command->setTabChangesFocus(true);
  m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_command->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  m_command->setWordWrapMode(QTextOption::WrapAnywhere);
  m_command->setFixedHeight(kHeight);
  m_command->setFrameShape(QFrame::NoFrame);
  m_command->setStyleSheet(QStringLiteral("QPlainTextEdit { border: none; }"));
  auto* title = new QLabel(tr("Command line"), this);
  title->setProperty("strong", true);
  auto* copy = new QPushButton(lineIcon(QStringLiteral("copy")), tr("&Copy"), this);
  copy->setAutoDefault(false);
  copy->setProperty("small", true);
  copy->setToolTip(tr("Copy the command line; it captures the same without the window"));
  auto* head = new QHBoxLayout;
  head->setContentsMargins(10, 5, 6, 3);
  head->addWidget(title);
  head->addStretch(1);
  head->addWidget(copy);
  auto* inner = new QVBoxLayout(this);
  inner->setContentsMargins(1, 1, 1, 1);
  inner->setSpacing(0);
  inner->addLayout(head);
  inner->addWidget(m_command);
  connect(copy, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_command->toPlainText()); });
}

void CommandBox::setCommand(const QString& command) {
  if (command != m_command->toPlainText()) m_command->setPlainText(command);
}

}  // namespace plastiscope
