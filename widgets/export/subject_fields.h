#pragma once
// Of the export form: which figure, of what, which metric.
#include <QComboBox>
#include <QFormLayout>
#include <QObject>
#include <optional>

#include "widgets/export/figure_list.h"

namespace plastiscope {

class SubjectFields : public QObject {
  Q_OBJECT
 public:
  SubjectFields(QFormLayout& layout, const Studies& studies, const FigureSpec& initial, QObject* parent);

  const FigureKind& kind() const;
  void read(FigureSpec& spec) const;
  void follow();  // the figure may speak about something else now

 Q_SIGNALS:
  void changed();

 private:
  QComboBox *m_figure, *m_subject, *m_metric;
  std::optional<HeadName> m_head;
  std::int64_t m_layer = 0;
  std::vector<HeadName> m_heads;
};

}  // namespace plastiscope
