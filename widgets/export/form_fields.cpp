#include "widgets/export/form_fields.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <algorithm>

#include "core/base/json.h"

namespace plastiscope {

namespace {

bool stretches(const QWidget* widget) {
  return qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget);
}

}  // namespace

QDoubleSpinBox* numberBox(double low, double high, double step, int decimals, const QString& suffix) {
  auto* box = new QDoubleSpinBox;
  box->setRange(low, high);
  box->setSingleStep(step);
  box->setDecimals(decimals);
  box->setSuffix(suffix);
  box->setKeyboardTracking(false);
  return box;
}

QComboBox* choiceBox(const std::vector<std::pair<QString, QString>>& items) {
  auto* box = new QComboBox;
  for (const auto& [title, value] : items) box->addItem(title, value);
  return box;
}

void select(QComboBox& box, const QString& value) {
  const int index = box.findData(value);
  if (index >= 0) box.setCurrentIndex(index);
}

void selectOrAdd(QComboBox& box, const QString& value, const QString& title) {
  if (box.findData(value) < 0) box.addItem(title, value);
  select(box, value);
}

QWidget* fieldRow(const std::vector<QWidget*>& widgets) {
  auto* holder = new QWidget;
  auto* layout = new QHBoxLayout(holder);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  for (QWidget* widget : widgets) layout->addWidget(widget, stretches(widget) ? 1 : 0);
  if (std::none_of(widgets.begin(), widgets.end(), stretches)) layout->addStretch(1);
  return holder;
}

void explain(QWidget& widget, const QString& name, const QString& tip) {
  widget.setAccessibleName(name);
  widget.setToolTip(tip);
}

// ---- form memory

QString remembered(const Json& memory, const char* key) {
  const auto found = memory.find(key);
  const bool text = found != memory.end() && found->is_string();
  return text ? QString::fromStdString(found->get<std::string>()) : QString();
}

double rememberedNumber(const Json& memory, const char* key, double otherwise) {
  const auto found = memory.find(key);
  return found != memory.end() && found->is_number() ? found->get<double>() : otherwise;
}

bool rememberedFlag(const Json& memory, const char* key) {
  const auto found = memory.find(key);
  return found != memory.end() && *found == true;
}

}  // namespace plastiscope
