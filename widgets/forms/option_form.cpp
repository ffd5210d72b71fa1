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
#include <cmath>

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

bool isReal(const Option& option) {
  return std::holds_alternative<double*>(option.value);
}
bool isPath(const Option& option) {
  return std::holds_alternative<std::filesystem::path*>(option.value);
}
bool isText(const Option& option) {
  return std::holds_alternative<std::string*>(option.value) || isPath(option) ||
         std::holds_alternative<TextForm>(option.value);
}

QString textOf(const Option& option) {
  const std::vector<std::string> texts = textsOf(option);
  return texts.empty() ? QString() : QString::fromStdString(texts.front());
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

QWidget* OptionFields::makeBox(const Option& option) {
  auto* box = new QComboBox(m_parent);
  const std::vector<std::string>& names = wordsOf(option);
  const std::vector<std::string>& words = option.field.words.empty() ? names : option.field.words;
  for (std::size_t i = 0; i < names.size(); ++i)
    box->addItem(said(words[i]), QString::fromStdString(names[i]));
  if (option.traits.open && option.field.words.empty()) {
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
  }
  const std::size_t at = m_fields.size();
  connect(box, &QComboBox::currentTextChanged, this, [this, at] { take(at); });
  return box;
}

QWidget* OptionFields::makeNumber(const Option& option) {
  const OptionField& field = option.field;
  const std::size_t at = m_fields.size();
  const auto dress = [&](auto* box) {
    box->setSuffix(said(field.suffix));
    box->setSpecialValueText(said(field.special));
    box->setGroupSeparatorShown(true);
    return box;
  };
  if (isReal(option)) {
    auto* box = dress(new QDoubleSpinBox(m_parent));
    box->setRange(field.least, field.most);
    box->setDecimals(field.decimals);
    box->setSingleStep(field.step);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, at] { take(at); });
    return box;
  }
  auto* box = dress(new QSpinBox(m_parent));
  box->setRange(static_cast<int>(field.least), static_cast<int>(field.most));
  box->setSingleStep(static_cast<int>(field.step));
  connect(box, &QSpinBox::valueChanged, this, [this, at] { take(at); });
  return box;
}

QWidget* OptionFields::makeField(std::size_t index) {
  const Option& option = m_options[index];
  const std::size_t at = m_fields.size();
  QWidget* made = nullptr;
  if (isFlag(option)) {
    auto* box = new QCheckBox(said(option.field.label), m_parent);
    connect(box, &QCheckBox::toggled, this, [this, at] { take(at); });
    made = box;
  } else if (!wordsOf(option).empty()) {
    made = makeBox(option);
  } else if (isText(option)) {
    auto* line = new QLineEdit(m_parent);
    line->setPlaceholderText(said(option.field.special));
    connect(line, &QLineEdit::textChanged, this, [this, at] { take(at); });
    connect(line, &QLineEdit::editingFinished, this, [this, at] { Q_EMIT finished(m_fields[at].key()); });
    made = line;
  } else {
    made = makeNumber(option);
  }
  m_fields.push_back({&option, &m_standard[index], made});
  made->setObjectName(m_prefix + camelCase(m_fields.back().key()));
  made->setToolTip(said(option.field.tip.empty() ? option.help : option.field.tip));
  show(m_fields.back());
  return made;
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
  const Option& option = *field.option;
  const bool special = !option.field.special.empty() && sameValue(option, *field.standard);
  if (auto* flag = qobject_cast<QCheckBox*>(field.widget)) {
    flag->setChecked(jsonOf(option) == true);
  } else if (auto* box = qobject_cast<QComboBox*>(field.widget)) {
    const QString value = QString::fromStdString(jsonOf(option).get<std::string>());
    if (box->isEditable()) return box->setEditText(value);
    if (box->findData(value) < 0) box->addItem(value, value);
    box->setCurrentIndex(box->findData(value));
  } else if (auto* line = qobject_cast<QLineEdit*>(field.widget)) {
    line->setText(textOf(option));
  } else if (auto* real = qobject_cast<QDoubleSpinBox*>(field.widget)) {
    real->setValue(special ? real->minimum() : jsonOf(option).get<double>());
  } else if (auto* number = qobject_cast<QSpinBox*>(field.widget)) {
    const double value = special ? number->minimum() : jsonOf(option).get<double>();
    number->setValue(static_cast<int>(std::min(value, static_cast<double>(number->maximum()))));
  }
}

void OptionFields::take(std::size_t at) {
  Field& field = m_fields[at];
  const Option& option = *field.option;
  const auto set = [&](double value, double least, const Json& number) {
    if (!option.field.special.empty() && value == least)
      copyValue(option, *field.standard);
    else
      setJson(option, number, field.key());
  };
  field.problem.clear();
  try {
    if (const auto* flag = qobject_cast<QCheckBox*>(field.widget)) {
      setJson(option, flag->isChecked(), field.key());
    } else if (const auto* box = qobject_cast<QComboBox*>(field.widget)) {
      const QString text = box->isEditable() ? box->currentText().trimmed() : box->currentData().toString();
      setTexts(option, {text.toStdString()});
    } else if (const auto* line = qobject_cast<QLineEdit*>(field.widget)) {
      const std::string text = line->text().trimmed().toStdString();
      isPath(option) ? setJson(option, text, field.key()) : setTexts(option, {text});
    } else if (const auto* real = qobject_cast<QDoubleSpinBox*>(field.widget)) {
      set(real->value(), real->minimum(), real->value());
    } else if (const auto* number = qobject_cast<QSpinBox*>(field.widget)) {
      const int value = number->value();
      set(value, number->minimum(), value < 0 ? Json(value) : Json(static_cast<unsigned>(value)));
    }
  } catch (const UsageError& error) {
    copyValue(option, *field.standard);
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
