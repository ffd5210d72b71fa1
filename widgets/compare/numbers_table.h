#pragma once
// Table of the numbers of all compared models: means over heads, and differences from the first where heads
// match.
#include <QIcon>
#include <QTableView>
#include <memory>

#include "widgets/compare/compare_model.h"
#include "widgets/state/list_table.h"

namespace plastiscope {

class CompareNumbers : public ListTable<KeyNumber> {
 public:
  using ListTable::ListTable;
  void setViews(std::shared_ptr<const CompareViews> views);

  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString tip(const KeyNumber& number, std::size_t model) const;
  QVariant interval(const KeyNumber& number, int column) const;

  std::shared_ptr<const CompareViews> m_views;
  std::vector<QIcon> m_marks;  // [models]
};

class NumbersTable : public QTableView {
  Q_OBJECT
 public:
  explicit NumbersTable(QWidget* parent = nullptr);
  void setViews(std::shared_ptr<const CompareViews> views);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();

  CompareNumbers m_numbers;
};

}  // namespace plastiscope
