#include "widgets/forms/option_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/json.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

// Translates texts of the lists.
QString said(const std::string& words) {
  return QCoreApplication::translate("Options", words.c_str());
}

// "plan.head_seed" or "--head-seed" -> "HeadSeed"
QString camelCase(const std::string& key) {
  QString name;
  bool upper = true;
  for (const char c : key.substr(key.rfind('.') + 1)) {
    if (c == '_' || c == '-')
      upper = true;
    else
      name += upper ? QChar::fromLatin1(c).toUpper() : QChar::fromLatin1(c);
    if (c != '_' && c != '-') upper = false;
  }
  return name;
}

bool isPath(const Option& option) {
  return std::holds_alternative<std::filesystem::path*>(option.value);
}
bool isText(const Option& option) {
  return std::holds_alternative<std::string*>(option.value) || isPath(option) ||
         std::holds_alternative<TextForm>(option.value);
}

QWidget* lineOf(const std::vector<QWidget*>& widgets, QWidget* parent) {
  auto* host = new QWidget(parent);
  auto* row = rowIn(host, {}, {.margins = {}, .spacing = 8});
  bool stretched = false;
  for (QWidget* each : widgets) {
    const bool text = qobject_cast<QLineEdit*>(each) != nullptr;
    stretched = stretched || text;
    row->addWidget(each, text ? 1 : 0);
  }
  if (!stretched) row->addStretch(1);
  host->setFocusProxy(widgets.front());  // target of the label's shortcut
  return host;
}

QString plain(const QLabel& label) {
  return label.text().remove(QLatin1Char('&'));
}

void nameLine(const QLayout& line, const QString& row) {
  QString name = row;
  for (int i = 0; i < line.count(); ++i) {
    QWidget* each = line.itemAt(i)->widget();
    if (each == nullptr) continue;
    if (const auto* label = qobject_cast<QLabel*>(each))
      name = QStringLiteral("%1: %2").arg(row, plain(*label));
    else if (each->accessibleName().isEmpty() && !qobject_cast<QAbstractButton*>(each))
      each->setAccessibleName(name);
  }
}

}  // namespace

QFormLayout* formOf(QWidget* owner) {
  auto* form = new QFormLayout(owner);
  form->setContentsMargins(0, 6, 0, 0);
  form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
  form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(6);
  return form;
}

void nameFields(const QFormLayout& form) {
  for (int row = 0; row < form.rowCount(); ++row) {
    const QLayoutItem *title = form.itemAt(row, QFormLayout::LabelRole),
                      *field = form.itemAt(row, QFormLayout::FieldRole);
    const auto* label = title != nullptr ? qobject_cast<QLabel*>(title->widget()) : nullptr;
    QWidget* widget = field != nullptr ? field->widget() : nullptr;
    if (label == nullptr || widget == nullptr) continue;
    if (widget->layout() != nullptr)
      nameLine(*widget->layout(), plain(*label));
    else if (widget->accessibleName().isEmpty())
      widget->setAccessibleName(plain(*label));
  }
}

OptionFields::OptionFields(const OptionList& options, const OptionList& standard, QString prefix,
                           QWidget* parent)
    : QObject(parent),
      m_prefix(std::move(prefix)),
      m_parent(parent),
      m_options(options),
      m_standard(standard) {}

void OptionFields::addRows(QFormLayout& form, const std::string& page,
                           const std::map<std::string, QWidget*>& notes) {
  std::vector<std::string> rows;
  std::map<std::string, std::vector<QWidget*>> lines;
  for (std::size_t i = 0; i < m_options.size(); ++i) {
    const OptionField& field = m_options[i].field;
    if (field.row.empty() || field.page != page) continue;
    std::vector<QWidget*>& line = lines[field.row];
    if (line.empty()) rows.push_back(field.row);
    if (!field.label.empty() && !isFlag(m_options[i]))
      line.push_back(new QLabel(said(field.label), m_parent));
    line.push_back(makeField(i));
    addBrowsing(line, m_fields.back());
  }
  for (const std::string& row : rows) {
    std::vector<QWidget*>& line = lines[row];
    if (const auto note = notes.find(row); note != notes.end()) line.push_back(note->second);
    const QString label = said(row).trimmed();
    form.addRow(label, line.size() == 1 ? line.front() : lineOf(line, m_parent));
  }
  nameFields(form);
}

void OptionFields::showRows(QFormLayout& form, const std::function<bool(const std::string&)>& wanted) {
  std::map<QWidget*, bool> rows;
  for (const Field& field : m_fields) {
    QWidget* row = form.indexOf(field.widget) >= 0 ? field.widget : field.widget->parentWidget();
    rows[row] = rows[row] || wanted(field.key());
  }
  for (const auto& [row, shown] : rows) form.setRowVisible(row, shown);
}

void OptionFields::makeFlag(Field& field) {
  const Option& option = *field.option;
  auto* box = new QCheckBox(said(option.field.label), m_parent);
  field.widget = box;
  field.show = [box, &option] { box->setChecked(jsonOf(option) == true); };
  field.read = [box, &option, key = field.key()] { setJson(option, box->isChecked(), key); };
  connect(box, &QCheckBox::toggled, this, [this, at = m_fields.size()] { read(at); });
}

void OptionFields::makeChoice(Field& field) {
  const Option& option = *field.option;
  auto* box = new QComboBox(m_parent);
  const std::vector<std::string>& names = wordsOf(option);
  const std::vector<std::string>& words = option.field.words.empty() ? names : option.field.words;
  for (std::size_t i = 0; i < names.size(); ++i)
    box->addItem(said(words[i]), QString::fromStdString(names[i]));
  box->setEditable(option.traits.open && option.field.words.empty());
  box->setInsertPolicy(QComboBox::NoInsert);
  field.widget = box;
  field.show = [box, &option] {
    const QString value = QString::fromStdString(jsonOf(option).get<std::string>());
    box->isEditable() ? box->setEditText(value) : selectOrAdd(*box, value, value);
  };
  field.read = [box, &option] {
    const QString text = box->isEditable() ? box->currentText().trimmed() : box->currentData().toString();
    setTexts(option, {text.toStdString()});
  };
  connect(box, &QComboBox::currentTextChanged, this, [this, at = m_fields.size()] { read(at); });
}

void OptionFields::makeLine(Field& field) {
  const Option& option = *field.option;
  auto* line = new QLineEdit(m_parent);
  line->setPlaceholderText(said(option.field.special));
  field.widget = line;
  field.show = [line, &option] {
    const std::vector<std::string> texts = textsOf(option);
    line->setText(texts.empty() ? QString() : QString::fromStdString(texts.front()));
  };
  field.read = [line, &option, key = field.key()] {
    const std::string text = line->text().trimmed().toStdString();
    isPath(option) ? setJson(option, text, key) : setTexts(option, {text});
  };
  connect(line, &QLineEdit::textChanged, this, [this, at = m_fields.size()] { read(at); });
  connect(line, &QLineEdit::editingFinished, this, [this, key = field.key()] { Q_EMIT finished(key); });
}

// The least number stands for the default if it has a special text.
template <typename Box>
void OptionFields::makeNumber(Field& field, Box* box) {
  const Option &option = *field.option, &standard = *field.standard;
  box->setSuffix(said(option.field.suffix));
  box->setSpecialValueText(said(option.field.special));
  box->setGroupSeparatorShown(true);
  box->setRange(option.field.least, option.field.most);
  box->setSingleStep(option.field.step);
  field.widget = box;
  const bool special = !option.field.special.empty();
  field.show = [box, &option, &standard, special] {
    if (special && sameValue(option, standard))
      box->setValue(box->minimum());
    else
      box->setValue(std::min<double>(jsonOf(option).get<double>(), box->maximum()));
  };
  field.read = [box, &option, &standard, special, key = field.key()] {
    const auto value = box->value();
    const bool natural = std::is_integral_v<decltype(box->value())> && value >= 0;
    if (special && value == box->minimum())
      copyValue(option, standard);
    else
      setJson(option, natural ? Json(static_cast<unsigned>(value)) : Json(value), key);
  };
  connect(box, &Box::valueChanged, this, [this, at = m_fields.size()] { read(at); });
}

QWidget* OptionFields::makeField(std::size_t index) {
  const Option& option = m_options[index];
  Field field{&option, &m_standard[index]};
  if (isFlag(option)) {
    makeFlag(field);
  } else if (!wordsOf(option).empty()) {
    makeChoice(field);
  } else if (isText(option)) {
    makeLine(field);
  } else if (std::holds_alternative<double*>(option.value)) {
    auto* box = new QDoubleSpinBox(m_parent);
    box->setDecimals(option.field.decimals);
    makeNumber(field, box);
  } else {
    makeNumber(field, new QSpinBox(m_parent));
  }
  field.widget->setObjectName(m_prefix + camelCase(field.key()));
  field.widget->setToolTip(said(option.field.tip.empty() ? option.help : option.field.tip));
  show(field);
  return m_fields.emplace_back(std::move(field)).widget;
}

void OptionFields::addBrowsing(std::vector<QWidget*>& line, const Field& field) {
  auto* edit = qobject_cast<QLineEdit*>(field.widget);
  if (!isPath(*field.option) || edit == nullptr) return;
  auto* browse = new QPushButton(QStringLiteral("…"), m_parent);
  browse->setAutoDefault(false);
  explain(*browse, tr("Choose the file"));
  connect(browse, &QPushButton::clicked, this, [this, edit] {
    const QString file = QFileDialog::getOpenFileName(m_parent, edit->toolTip(), {},
                                                      tr("Captures and analyses (*.h5 *.hdf5)"));
    if (!file.isEmpty()) edit->setText(fileText(file.toStdString()));
  });
  line.push_back(browse);
}

const OptionFields::Field& OptionFields::fieldOf(const std::string& keyOrName) const {
  return *std::find_if(m_fields.begin(), m_fields.end(),
                       [&](const Field& field) { return field.key() == keyOrName; });
}

void OptionFields::showAll() {
  for (Field& field : m_fields) {
    field.problem.clear();
    show(field);
  }
}

void OptionFields::show(const std::string& keyOrName) {
  show(fieldOf(keyOrName));
}

void OptionFields::show(const Field& field) {
  const QSignalBlocker quiet(field.widget);
  field.show();
}

void OptionFields::read(std::size_t at) {
  Field& field = m_fields[at];
  field.problem.clear();
  try {
    field.read();
  } catch (const UsageError& error) {
    copyValue(*field.option, *field.standard);
    field.problem = error.what();
  }
  Q_EMIT changed(field.key());
}

QString OptionFields::problem() const {
  for (const Field& field : m_fields) {
    if (!field.problem.empty()) return sanitizedText(field.problem);
  }
  return {};
}

}  // namespace plastiscope

#include "moc_option_form.cpp"
