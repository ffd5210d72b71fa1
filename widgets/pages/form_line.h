#pragma once
// Rows of a settings form: several fields in one line, labels at the right.
#include <initializer_list>

class QFormLayout;
class QWidget;

namespace plastiscope {

QFormLayout* formOf(QWidget* owner);
QWidget* formLine(std::initializer_list<QWidget*> widgets, QWidget* parent);

}  // namespace plastiscope
