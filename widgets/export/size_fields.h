#pragma once
// Of the export form: venue, width and height, in inches or millimetres.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QObject>

#include "widgets/export/figure_kinds.h"

namespace plastiscope {

class SizeFields : public QObject {
  Q_OBJECT
 public:
  SizeFields(QFormLayout& layout, QObject* parent);

  void show(const FigureSpec& spec);
  void read(FigureSpec& spec) const;
  void follow(const FigureSpec& now);  // shows the size that the other fields lead to
  bool millimetres() const;

  void remember(Json& memory) const;
  void recall(const Json& memory);

 Q_SIGNALS:
  void changed();
  void venueChanged();

 private:
  void changeUnit();
  double inches(double shown) const;
  double shown(double inches) const;

  QComboBox *m_venue, *m_width, *m_unit;
  QDoubleSpinBox *m_widthBox, *m_heightBox;
  QCheckBox* m_ownHeight;
};

}  // namespace plastiscope
