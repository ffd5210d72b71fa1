#include "widgets/analysis/rows_dialog.h"

#include <QCheckBox>
#include <QGroupBox>
#include <QListWidget>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/jobs/row_subset.h"
#include "widgets/forms/dialog_parts.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr QSize kRowsDialogSize(760, 560);

// Example of each type of token.
const char* const kTypeTips[] = {
    QT_TRANSLATE_NOOP("RowsDialog", "A token that begins a word of Latin letters"),
    QT_TRANSLATE_NOOP("RowsDialog", "A token that continues a word of Latin letters"),
    QT_TRANSLATE_NOOP("RowsDialog", "A token whose first letter or number is a number"),
    QT_TRANSLATE_NOOP("RowsDialog", "A token without letters and numbers"),
    QT_TRANSLATE_NOOP("RowsDialog", "A token of spaces and line ends"),
    QT_TRANSLATE_NOOP("RowsDialog", "A token whose first letter is not Latin")};

QSpinBox* positionBox(const char* name, const QString& tip, int last, QWidget* parent) {
  auto* box = named(name, new QSpinBox(parent));
  box->setRange(0, last);
  box->setGroupSeparatorShown(true);
  explain(*box, tip);
  return box;
}

}  // namespace

RowsDialog::RowsDialog(std::shared_ptr<const CaptureFile> capture, const RowChoice& shown, QWidget* parent)
    : QDialog(parent),
      m_capture(std::move(capture)),
      m_texts(named("rowsTexts", new QListWidget(this))),
      m_command(new CommandBox(tr("Copy the command line; it computes the same without the window"), this)),
      m_buttons(new DialogButtons({QStringLiteral("rows"), tr("&Show these rows"),
                                   tr("Compute everything in this tab from these rows alone"),
                                   tr("Close and leave the rows as they are (Esc)")},
                                  this)) {
  setObjectName(QStringLiteral("rowsDialog"));
  setWindowTitle(tr("Rows of %1").arg(fileText(m_capture->path().filename())));
  resizeOnScreen(*this, kRowsDialogSize);
  const int last = static_cast<int>(std::max<std::int64_t>(1, m_capture->info().window)) - 1;
  m_from = positionBox("rowsFrom", tr("First position, in tokens"), last, this);
  m_to = positionBox("rowsTo", tr("Last position, in tokens"), last, this);
  auto* everything = named("rowsAll", smallButton(tr("&All rows"), tr("Choose every row again"), this));
  auto* hint = styledLabel(tr("Applies to queries and keys: a pair counts if both of its keys are chosen. "
                              "All tables and views of the tab are recomputed; the file does not change."),
                           "muted", this);
  hint->setWordWrap(true);
  auto* boxes = rowOf({{textsBox(), 3}, {tokensBox(), 2}}, {.spacing = 12});
  auto* top = rowOf({{hint, 1}, everything});
  columnIn(this, {top, {boxes, 1}, m_command, m_buttons}, {.margins = {18, 14, 18, 14}, .spacing = 12});
  show(shown);
  connect(m_texts, &QListWidget::itemChanged, this, &RowsDialog::refresh);
  for (QSpinBox* box : {m_from, m_to}) connect(box, &QSpinBox::valueChanged, this, &RowsDialog::refresh);
  for (QCheckBox* type : m_types) connect(type, &QCheckBox::toggled, this, &RowsDialog::refresh);
  connect(everything, &QPushButton::clicked, this, [this] {
    show({});
    refresh();
  });
  connect(m_buttons, &DialogButtons::startRequested, this, [this] {
    Q_EMIT chosen(choice());
    accept();
  });
  refresh();
}

QWidget* RowsDialog::textsBox() {
  for (const CaptureExampleInfo& example : m_capture->info().examples) {
    auto* item = new QListWidgetItem(
        tr("%1 · %2 tokens").arg(QString::fromStdString(example.id), groupedText(example.tokens)), m_texts);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
    item->setCheckState(Qt::Checked);
  }
  m_texts->setAccessibleName(tr("Texts"));
  auto* box = new QGroupBox(tr("Texts"), this);
  auto* all = named("rowsAllTexts", smallButton(tr("A&ll"), tr("Choose every text"), box));
  auto* none = named("rowsNoText", smallButton(tr("&None"), tr("Choose no text"), box));
  connect(all, &QPushButton::clicked, this, [this] { checkTexts(true); });
  connect(none, &QPushButton::clicked, this, [this] { checkTexts(false); });
  columnIn(box, {{m_texts, 1}, rowOf({all, none, Stretch{}})});
  return box;
}

QWidget* RowsDialog::tokensBox() {
  auto* positions = new QGroupBox(tr("Positions"), this);
  auto* to = new QLabel(tr("to"), positions);
  rowIn(positions, {{m_from, 1}, to, {m_to, 1}});
  auto* types = new QGroupBox(tr("Types of tokens"), this);
  auto* column = columnIn(types, {});
  for (std::size_t i = 0; i < titlesOf(TokenType()).size(); ++i) {
    auto* type = new QCheckBox(QString::fromUtf8(titlesOf(TokenType())[i]), types);
    type->setObjectName(QStringLiteral("rowsType-") + QLatin1String(namesOf(TokenType())[i]));
    type->setToolTip(m_capture->hasTexts() ? tr(kTypeTips[i])
                                           : tr("The capture does not contain the text of its tokens"));
    type->setEnabled(m_capture->hasTexts());
    column->addWidget(type);
    m_types.push_back(type);
  }
  auto* both = new QWidget(this);
  columnIn(both, {positions, types, Stretch{}}, {.margins = {}, .spacing = 12});
  return both;
}

void RowsDialog::checkTexts(bool on) {
  {
    const QSignalBlocker quiet(m_texts);
    for (int i = 0; i < m_texts->count(); ++i)
      m_texts->item(i)->setCheckState(on ? Qt::Checked : Qt::Unchecked);
  }
  refresh();
}

// Shows everything for invalid choices, such as texts of another capture.
void RowsDialog::show(const RowChoice& shown) {
  const QSignalBlocker quiet(m_texts);
  const CaptureInfo& info = m_capture->info();
  std::vector<std::int64_t> texts;
  std::vector<TokenType> types;
  std::optional<std::pair<std::int64_t, std::int64_t>> positions;
  try {
    texts = textsMeant(shown.examples, info);
    types = typesMeant(shown.tokenTypes);
    positions = positionsMeant(shown.positions);
  } catch (const UsageError&) {
    return show({});
  }
  for (int i = 0; i < m_texts->count(); ++i)
    m_texts->item(i)->setCheckState(std::ranges::binary_search(texts, i) ? Qt::Checked : Qt::Unchecked);
  m_from->setValue(positions ? positions->first : 0);
  m_to->setValue(positions ? positions->second : m_to->maximum());
  for (std::size_t i = 0; i < m_types.size(); ++i)
    m_types[i]->setChecked(std::ranges::count(types, static_cast<TokenType>(i)) > 0);
}

std::vector<std::int64_t> RowsDialog::checkedTexts() const {
  std::vector<std::int64_t> texts;
  for (int i = 0; i < m_texts->count(); ++i) {
    if (m_texts->item(i)->checkState() == Qt::Checked) texts.push_back(i);
  }
  return texts;
}

RowChoice RowsDialog::choice() const {
  RowChoice choice;
  choice.examples = textList(checkedTexts(), m_capture->info());
  if (m_from->value() > 0 || m_to->value() < m_to->maximum())
    choice.positions = std::to_string(m_from->value()) + ".." + std::to_string(m_to->value());
  std::vector<std::string> types;
  for (std::size_t i = 0; i < m_types.size(); ++i) {
    if (m_types[i]->isChecked()) types.emplace_back(namesOf(TokenType())[i]);
  }
  if (types.size() < m_types.size()) choice.tokenTypes = joined(types, {}, ",");
  return choice;
}

QString RowsDialog::problem() const {
  if (m_texts->count() > 0 && checkedTexts().empty()) return tr("Choose at least one text.");
  if (m_from->value() > m_to->value()) return tr("The first position is after the last one.");
  if (std::ranges::none_of(m_types, &QCheckBox::isChecked)) return tr("Choose at least one type of token.");
  return {};
}

void RowsDialog::refresh() {
  m_buttons->showState(problem());
  const RowChoice chosen = choice();
  QStringList arguments = {fileText(m_capture->path())};
  for (const auto& [option, value] :
       {std::pair("--examples", chosen.examples), std::pair("--positions", chosen.positions),
        std::pair("--token-types", chosen.tokenTypes)}) {
    if (!value.empty()) arguments << QLatin1String(option) << QString::fromStdString(value);
  }
  arguments << QStringLiteral("--out") << QStringLiteral("rows.analysis.h5");
  m_command->setCommand(QStringLiteral("analyze"), arguments);
}

}  // namespace plastiscope

#include "moc_rows_dialog.cpp"
