#pragma once
// Drift of every head as a table; sort by the number, not by its text.
#include <QAbstractTableModel>
#include <vector>

#include "core/compare/drift.h"

namespace plastiscope {

class DriftModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { HeadColumn, KindColumn, RowsColumn, FirstMeasure };
  enum Role { SortRole = Qt::UserRole, LayerRole, QueryHeadRole };  // QueryHeadRole: -1 of key heads

  using QAbstractTableModel::QAbstractTableModel;
  void setDrift(std::vector<HeadDrift> drift);
  const std::vector<HeadDrift>& drift() const { return m_drift; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<HeadDrift> m_drift;
};

}  // namespace plastiscope
