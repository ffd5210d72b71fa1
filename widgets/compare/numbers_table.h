#pragma once
// The numbers of all compared models beside each other, as a table to read.
#include <QTableView>

#include "widgets/compare/compare_numbers.h"

namespace plastiscope {

class NumbersTable : public QTableView {
  Q_OBJECT
 public:
  explicit NumbersTable(QWidget* parent = nullptr);
  void setViews(std::shared_ptr<const CompareViews> views);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();

  CompareNumbers m_numbers;
};

}  // namespace plastiscope
