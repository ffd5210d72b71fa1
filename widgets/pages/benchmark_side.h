#pragma once
// Beside the picture of the benchmarks tab: all predictors in a table, how much hangs on one model, and what
// a reader must know.
#include <QAbstractTableModel>
#include <QWidget>

#include "core/compare/benchmark_data.h"

class QLabel;
class QTableView;

namespace plastiscope {

// All predictors of a benchmark beside each other: r with its interval, rho, p and n.
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

class BenchmarkSide : public QWidget {
  Q_OBJECT
 public:
  explicit BenchmarkSide(QWidget* parent = nullptr);
  void setData(const std::shared_ptr<const BenchmarkData>& data);

 Q_SIGNALS:
  void predictorChosen(const std::string& column);  // by mouse or keyboard

 private:
  void setUpTable();

  BenchmarkTable m_results;
  QTableView* m_table;
  QLabel *m_note, *m_caveats;
};

}  // namespace plastiscope
