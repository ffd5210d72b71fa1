#pragma once
// Rows of a settings form: several fields in one line, labels at the right.
#include <initializer_list>

class QFormLayout;
class QWidget;

namespace plastiscope {

QFormLayout* formOf(QWidget* owner);
// The first widget takes the keyboard for the line.
QWidget* formLine(std::initializer_list<QWidget*> widgets, QWidget* parent);
// For screen readers: fields without a name get that of the row and of the label before them in the line.
void nameFields(const QFormLayout& form);

}  // namespace plastiscope
