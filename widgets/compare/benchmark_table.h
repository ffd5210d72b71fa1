#pragma once
// All predictors of a benchmark beside each other: r with its interval, rho, p and n.
#include <QAbstractTableModel>

#include "core/compare/benchmark_data.h"

namespace plastiscope {

class BenchmarkTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setData(std::shared_ptr<const BenchmarkData> data);
  int rowOf(const std::string& predictor) const;  // -1: none
  std::string predictorAt(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const BenchmarkData> m_data;
};

}  // namespace plastiscope
