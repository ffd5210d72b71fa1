#pragma once
// Small pieces of the export dialog's forms.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QString>
#include <utility>
#include <vector>

#include "core/base/json.h"

namespace plastiscope {

QDoubleSpinBox* numberBox(double low, double high, double step, int decimals, const QString& suffix);
QComboBox* choiceBox(const std::vector<std::pair<QString, QString>>& items);  // title, value
// Selects a value of the box; one that it lacks changes nothing.
void select(QComboBox& box, const QString& value);
// ... or is added under this title.
void selectOrAdd(QComboBox& box, const QString& value, const QString& title);
// Widgets beside each other in one row of a form.
QWidget* fieldRow(const std::vector<QWidget*>& widgets);
// What a control is for, for the eye and for a screen reader.
void explain(QWidget& widget, const QString& name, const QString& tip);

// Values that the export form remembered; what is missing or of another type keeps its default.
QString remembered(const Json& memory, const char* key);  // "" when there is no such text
double rememberedNumber(const Json& memory, const char* key, double otherwise);
bool rememberedFlag(const Json& memory, const char* key);

}  // namespace plastiscope
