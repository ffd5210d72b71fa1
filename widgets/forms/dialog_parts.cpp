#include "widgets/forms/dialog_parts.h"

#include <QClipboard>
#include <QDialog>
#include <QFileDialog>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

#include "core/base/python_call.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

DialogButtons::DialogButtons(const Words& words, QDialog* dialog)
    : QWidget(dialog),
      m_startTip(words.startTip),
      m_hint(styledLabel({}, "muted", this)),
      m_start(new QPushButton(words.start, this)) {
  m_hint->setObjectName(words.name + QStringLiteral("Hint"));
  m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* cancel = new QPushButton(tr("Cancel"), this);
  cancel->setAutoDefault(false);
  cancel->setToolTip(words.cancelTip);
  m_start->setObjectName(words.name + QStringLiteral("Start"));
  m_start->setAutoDefault(false);
  m_start->setDefault(true);
  rowIn(this, {{m_hint, 1}, cancel, m_start}, {.margins = {}});
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
    : QWidget(parent), m_words(std::move(words)), m_file(named("outFile", new QLineEdit(this))) {
  explain(*m_file, tr("Save as"), m_words.tip);
  auto* other = new QPushButton(QStringLiteral("…"), this);
  other->setAutoDefault(false);
  explain(*other, tr("Choose where to save"));
  rowIn(this, {{m_file, 1}, other}, {.margins = {}});
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
    : QFrame(parent), m_command(named("commandLine", new QPlainTextEdit(this))) {
  setProperty("card", QStringLiteral("true"));
  m_command->setAccessibleName(tr("Command line"));
  m_command->setReadOnly(true);
  m_command->setTabChangesFocus(true);
  m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_command->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  m_command->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  m_command->setFrameShape(QFrame::NoFrame);
  m_command->setStyleSheet(QStringLiteral("QPlainTextEdit { border: none; padding: 0; }"));
  m_command->document()->setDocumentMargin(0);
  auto* title = styledLabel(tr("Command line"), "strong", this);
  auto* copy = smallButton(tr("&Copy"), copyTip, this);
  copy->setIcon(lineIcon(QStringLiteral("copy")));
  auto* copyPython = named(
      "copyPython", smallButton(tr("Copy as P&ython"), tr("Copy Python code that does the same"), this));
  auto* head = rowOf({title, Stretch(), copy, copyPython}, {.margins = {10, 5, 6, 3}});
  auto* body = rowOf({m_command}, {.margins = {kPadding, kPadding, kPadding, kPadding}});
  columnIn(this, {head, body}, {.margins = {1, 1, 1, 1}, .spacing = 0});
  connect(copy, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_command->toPlainText()); });
  connect(copyPython, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_python); });
}

// The font is final here: sets a height of whole lines.
void CommandBox::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  m_command->ensurePolished();
  m_command->setFixedHeight(kLines * m_command->fontMetrics().lineSpacing());
}

void CommandBox::setCommand(const QString& command, const QStringList& arguments) {
  const QString text = shellCommand(QStringLiteral("plastiscope-cli ") + command, arguments);
  if (text != m_command->toPlainText()) m_command->setPlainText(text);
  std::vector<std::string> given;
  for (const QString& argument : arguments) given.push_back(argument.toStdString());
  m_python = QString::fromStdString(pythonCall(command.toStdString(), given));
}

}  // namespace plastiscope

#include "moc_dialog_parts.cpp"
