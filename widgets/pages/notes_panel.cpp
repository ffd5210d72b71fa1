#include "widgets/pages/notes_panel.h"

#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr int kTextHeight = 92;

QPlainTextEdit* textBox(const char* name, const QString& hint, QWidget* parent) {
  auto* box = new QPlainTextEdit(parent);
  box->setObjectName(QString::fromLatin1(name));
  box->setPlaceholderText(hint);
  box->setAccessibleName(hint);
  box->setTabChangesFocus(true);
  box->setFixedHeight(kTextHeight);
  return box;
}

}  // namespace

NotesPanel::NotesPanel(QWidget* parent)
    : QWidget(parent),
      m_head(styledLabel({}, "strong", this)),
      m_empty(styledLabel(tr("Open a capture to write notes about it."), "muted", this)),
      m_headText(textBox("headNote", tr("A note on this head"), this)),
      m_studyText(textBox("studyNote", tr("A note on this capture"), this)),
      m_list(named("notesList", new QListWidget(this))) {
  m_empty->setWordWrap(true);
  m_list->setIconSize({13, 13});
  m_list->setAccessibleName(tr("Heads with a note or a star"));
  auto* study = named("studyNoteTitle", styledLabel(tr("This capture"), "strong", this));
  auto* listTitle = styledLabel(tr("Heads with a note or a star"), "strong", this);
  columnIn(this, {m_empty, m_head, m_headText, study, m_studyText, listTitle, {m_list, 1}},
           {.margins = {10, 8, 10, 8}, .spacing = 6});
  connect(m_headText, &QPlainTextEdit::textChanged, this, [this] {
    if (!m_filling && m_notes && m_selection && m_selection->value().head)
      m_notes->setHeadText(*m_selection->value().head, m_headText->toPlainText().toStdString());
  });
  connect(m_studyText, &QPlainTextEdit::textChanged, this, [this] {
    if (!m_filling && m_notes) m_notes->setStudyText(m_studyText->toPlainText().toStdString());
  });
  connect(m_list, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
    const auto heads = parseHeadList(item->data(Qt::UserRole).toString().toStdString());
    if (m_selection && !heads.empty()) m_selection->setHead(heads.front());
  });
  connect(m_list, &QListWidget::itemClicked, m_list, &QListWidget::itemActivated);
  setStudy(nullptr, nullptr);
}

void NotesPanel::setStudy(NotesDocument* notes, Selection* selection) {
  if (m_notes) m_notes->disconnect(this);
  if (m_selection) m_selection->disconnect(this);
  m_notes = notes;
  m_selection = selection;
  if (notes) connect(notes, &NotesDocument::changed, this, &NotesPanel::showList);
  if (selection) connect(selection, &Selection::changed, this, &NotesPanel::showHead);
  m_empty->setVisible(notes == nullptr);
  for (QWidget* each :
       {static_cast<QWidget*>(m_headText), static_cast<QWidget*>(m_studyText), static_cast<QWidget*>(m_list)})
    each->setEnabled(notes != nullptr);
  m_filling = true;
  m_studyText->setPlainText(notes ? QString::fromStdString(notes->notes().study) : QString());
  m_filling = false;
  showHead();
  showList();
}

void NotesPanel::showHead() {
  const auto head = m_selection ? m_selection->value().head : std::nullopt;
  m_head->setText(head ? tr("L%1 H%2").arg(head->layer).arg(head->head) : tr("No head chosen"));
  const QString text = head && m_notes ? QString::fromStdString(m_notes->of(*head)) : QString();
  if (text == m_headText->toPlainText()) return;
  m_filling = true;
  m_headText->setPlainText(text);
  m_filling = false;
}

void NotesPanel::showList() {
  m_list->clear();
  if (!m_notes) return;
  std::set<HeadName> heads = m_notes->notes().starred;
  for (const auto& [head, text] : m_notes->notes().heads) heads.insert(head);
  for (const HeadName& head : heads) {
    const QString note = QString::fromStdString(m_notes->of(head)).section(QLatin1Char('\n'), 0, 0);
    auto* item = new QListWidgetItem(
        tr("L%1 H%2  %3").arg(QString::number(head.layer), QString::number(head.head), note), m_list);
    item->setData(Qt::UserRole, QString::fromStdString(head.text()));
    item->setToolTip(plainTip(QString::fromStdString(m_notes->of(head))));
    if (m_notes->notes().starred.contains(head))
      item->setIcon(lineIcon(QStringLiteral("star-filled"), QStringLiteral("selection")));
  }
}

}  // namespace plastiscope

#include "moc_notes_panel.cpp"
