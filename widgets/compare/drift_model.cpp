#include "widgets/compare/drift_model.h"

#include "core/base/error.h"
#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

QString measureTitle(const DriftMeasure& measure) {
  const QString title = QString::fromStdString(measure.title);
  return measure.unit.empty() ? title
                              : QStringLiteral("%1 (%2)").arg(title, QString::fromStdString(measure.unit));
}

}  // namespace

void DriftModel::setDrift(std::vector<HeadDrift> drift) {
  beginResetModel();
  m_drift = std::move(drift);
  endResetModel();
}

int DriftModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_drift.size());
}

int DriftModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : FirstMeasure + static_cast<int>(driftMeasures().size());
}

QVariant DriftModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  if (section == HeadColumn) return tr("Head");
  if (section == KindColumn) return tr("Of");
  if (section == RowsColumn) return tr("Rows");
  return measureTitle(driftMeasures()[static_cast<std::size_t>(section - FirstMeasure)]);
}

QVariant DriftModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const HeadDrift& head = m_drift[static_cast<std::size_t>(index.row())];
  if (role == LayerRole) return static_cast<qlonglong>(head.layer);
  if (role == QueryHeadRole) return static_cast<qlonglong>(head.kind == "query" ? head.head : -1);
  if (role == Qt::TextAlignmentRole && index.column() >= RowsColumn)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != SortRole) return {};
  const bool sort = role == SortRole;
  switch (index.column()) {
    case HeadColumn:
      return sort ? QVariant(static_cast<qlonglong>(head.layer * 100000 + head.head))
                  : QVariant(QString::fromStdString(HeadName{head.layer, head.head}.text()));
    case KindColumn:
      return head.kind == "query" ? tr("queries") : tr("keys");
    case RowsColumn:
      return sort ? QVariant(static_cast<qlonglong>(head.rows))
                  : QString::fromStdString(withCommas(head.rows));
    default: {
      const double value = driftMeasures()[static_cast<std::size_t>(index.column() - FirstMeasure)].of(head);
      return sort ? QVariant(value) : QVariant(QString::fromStdString(metricText(value)));
    }
  }
}

}  // namespace plastiscope
