#include "widgets/pages/form_line.h"

#include <QFormLayout>
#include <QLineEdit>

namespace plastiscope {

QFormLayout* formOf(QWidget* owner) {
  auto* form = new QFormLayout(owner);
  form->setContentsMargins(0, 6, 0, 0);
  form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
  form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(6);
  return form;
}

QWidget* formLine(std::initializer_list<QWidget*> widgets, QWidget* parent) {
  auto* host = new QWidget(parent);
  auto* row = new QHBoxLayout(host);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  bool stretched = false;
  for (QWidget* each : widgets) {
    const bool text = qobject_cast<QLineEdit*>(each) != nullptr;
    stretched = stretched || text;
    row->addWidget(each, text ? 1 : 0);
  }
  if (!stretched) row->addStretch(1);
  return host;
}

}  // namespace plastiscope
