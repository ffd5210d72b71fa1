#pragma once
#include <QWidget>

#include "core/base/query_or_key.h"

namespace plastiscope {

// Colour scale from low to high with the numbers at both ends.
class ColourStrip : public QWidget {
  Q_OBJECT
 public:
  explicit ColourStrip(QWidget* parent = nullptr);
  void setScale(QueryOrKey kind, std::pair<double, double> range);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString text(double value) const;
  QueryOrKey m_kind = QueryOrKey::Query;
  std::pair<double, double> m_range{0, 1};
};

}  // namespace plastiscope
