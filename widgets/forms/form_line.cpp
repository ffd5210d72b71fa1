#include "widgets/forms/form_line.h"

#include <QAbstractButton>
#include <QFormLayout>
#include <QLabel>
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
  host->setFocusProxy(*widgets.begin());  // where the label's shortcut leads
  return host;
}

namespace {

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

}  // namespace plastiscope
