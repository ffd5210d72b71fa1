#include "widgets/capture/rope_fields.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/rope_kinds.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr const char *kBase = "rope_theta", *kType = "rope_type";
constexpr int kSettingWidth = 130;

// Settings of one number, or true or false, in the order of the rows.
std::vector<std::string> singleSettings() {
  std::vector<std::string> names = {kBase};
  for (const RopeSetting& setting : ropeSettings()) {
    if (!std::holds_alternative<std::vector<double> RopeSpec::*>(setting.member) &&
        !std::holds_alternative<std::vector<float> RopeSpec::*>(setting.member))
      names.emplace_back(setting.name);
  }
  return names;
}

QString shownValue(const Json& value) {
  if (!value.is_number()) return QString::fromStdString(value.dump());
  return QString::number(value.get<double>(), 'g', 12);
}

}  // namespace

RopeFields::RopeFields(QWidget* parent)
    : QWidget(parent),
      m_form(new QFormLayout(this)),
      m_kind(named("ropeKind", new QComboBox(this))),
      m_json(named("ropeJson", new QLineEdit(this))) {
  m_form->setContentsMargins(0, 0, 0, 0);
  m_kind->addItem(tr("as the model"), QString());
  for (const RopeKind& each : ropeKinds()) {
    const QString name = QString::fromUtf8(each.name.data(), static_cast<qsizetype>(each.name.size()));
    m_kind->addItem(name, name);
  }
  m_form->addRow(tr("&Kind"), m_kind);
  for (const std::string& name : singleSettings()) {
    auto* field = new QLineEdit(this);
    field->setObjectName(QStringLiteral("rope-%1").arg(QString::fromStdString(name)));
    field->setFixedWidth(kSettingWidth);
    m_fields[name] = field;
    m_notes[name] = styledLabel({}, "muted", this);
    m_form->addRow(QString::fromStdString(name), fieldRow({field, m_notes[name]}));
    connect(field, &QLineEdit::textEdited, this, &RopeFields::writeText);
  }
  explain(*m_json, tr("RoPE settings"),
          tr("As --rope-override takes them: a JSON object with the names of Hugging Face's rope_parameters; "
             "settings without a field, such as long_factor, are written here"));
  m_form->addRow(tr("&JSON"), m_json);
  connect(m_kind, &QComboBox::activated, this, &RopeFields::writeText);
  connect(m_kind, &QComboBox::currentIndexChanged, this, &RopeFields::showFields);
  connect(m_json, &QLineEdit::textEdited, this, [this] {
    readText();
    Q_EMIT changed();
  });
  showFields();
}

void RopeFields::setOwn(const Json& settings) {
  m_own = settings;
  const bool known = settings.is_object() && settings.contains(kType) && settings[kType].is_string();
  m_kind->setItemText(
      0, known ? tr("as the model: %1").arg(QString::fromStdString(settings[kType])) : tr("as the model"));
  for (const auto& [name, note] : m_notes) {
    const bool has = settings.is_object() && settings.contains(name);
    note->setText(has ? tr("model: %1").arg(shownValue(settings[name])) : QString());
  }
  showFields();
}

void RopeFields::setText(const QString& text) {
  m_json->setText(text);
  readText();
}

QString RopeFields::text() const {
  return m_json->text().trimmed();
}

Json RopeFields::value() const {
  if (text().isEmpty()) return Json::object();
  Json settings = parseJson(text().toStdString(), "RoPE settings");
  if (!settings.is_object())
    throw InputError("RoPE settings: expected a JSON object such as {\"factor\": 4}");
  return settings;
}

std::string RopeFields::kind() const {
  const std::string chosen = m_kind->currentData().toString().toStdString();
  if (!chosen.empty() || !m_own->is_object()) return chosen;
  return m_own->value(kType, std::string());
}

// Keeps settings of the text that have no field.
void RopeFields::writeText() {
  Json settings = Json::object();
  try {
    settings = value();
  } catch (const Error&) {
  }
  settings.erase(kType);
  if (m_kind->currentIndex() > 0) settings[kType] = m_kind->currentData().toString().toStdString();
  for (const auto& [name, field] : m_fields) {
    const QString typed = field->text().trimmed();
    settings.erase(name);
    if (typed.isEmpty() || !m_form->isRowVisible(field->parentWidget())) continue;
    bool isNumber = false;
    const double number = typed.toDouble(&isNumber);
    if (isNumber)
      settings[name] = number == std::floor(number) ? Json(static_cast<std::int64_t>(number)) : Json(number);
    else if (typed == QLatin1String("true") || typed == QLatin1String("false"))
      settings[name] = typed == QLatin1String("true");
    else
      settings[name] = typed.toStdString();  // reported with the model's settings
  }
  m_json->setText(settings.empty() ? QString() : QString::fromStdString(settings.dump()));
  Q_EMIT changed();
}

void RopeFields::readText() {
  Json settings;
  try {
    settings = value();
  } catch (const Error&) {
    return;
  }
  const std::string type = settings.contains(kType) && settings[kType].is_string()
                               ? settings[kType].get<std::string>()
                               : std::string();
  m_kind->setCurrentIndex(std::max(0, m_kind->findData(QString::fromStdString(type))));
  for (const auto& [name, field] : m_fields)
    field->setText(settings.contains(name) ? shownValue(settings[name]) : QString());
}

void RopeFields::showFields() {
  const std::string type = kind();
  const auto found = std::ranges::find(ropeKinds(), type, &RopeKind::name);
  for (const auto& [name, field] : m_fields) {
    const auto has = [&name = name](const auto& list) { return std::ranges::find(list, name) != list.end(); };
    const bool shown =
        name == kBase || (found != ropeKinds().end() && (has(found->needs) || has(found->may)));
    m_form->setRowVisible(field->parentWidget(), shown);
  }
}

}  // namespace plastiscope

#include "moc_rope_fields.cpp"
