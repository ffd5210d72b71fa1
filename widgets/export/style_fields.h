#pragma once
// Of the export form: type, lines, theme and range.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QObject>

#include "widgets/export/figure_kinds.h"

namespace plastiscope {

class StyleFields : public QObject {
  Q_OBJECT
 public:
  StyleFields(QFormLayout& layout, QObject* parent);

  void show(const FigureSpec& spec);
  void read(FigureSpec& spec) const;
  void useVenue(FigureSpec spec);  // the type size that belongs to it
  void follow(const FigureSpec& now, const FigureKind& kind);

  void remember(Json& memory) const;
  void recall(const Json& memory);

 Q_SIGNALS:
  void changed();

 private:
  QComboBox *m_font, *m_theme, *m_range;
  QDoubleSpinBox *m_labels, *m_lines, *m_low, *m_high;
  QLabel* m_ticks;
};

}  // namespace plastiscope
