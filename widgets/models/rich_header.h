#pragma once
#include <QHeaderView>

namespace plastiscope {

// A table header that draws subscripts: "r<sub>Q,a</sub>". Titles come from HeadTableModel::RichTitleRole.
class RichHeader : public QHeaderView {
  Q_OBJECT
 public:
  explicit RichHeader(QWidget* parent = nullptr);

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int section) const override;
};

}  // namespace plastiscope
