#pragma once
// The line above a model's column: mark of the family, name, a note at the right.
#include <QWidget>

class QLabel;

namespace plastiscope {

class ElidedLabel;

class ColumnHeader : public QWidget {
  Q_OBJECT
 public:
  explicit ColumnHeader(QWidget* parent = nullptr);
  void show(const QIcon& mark, const QString& name, const QString& note);
  using QWidget::show;

 private:
  QLabel *m_mark, *m_note;
  ElidedLabel* m_name;
};

}  // namespace plastiscope
