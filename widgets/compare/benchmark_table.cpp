#include "widgets/compare/benchmark_table.h"

#include <cmath>

namespace plastiscope {

namespace {

QString fixed(double value, int decimals) {
  return QString::fromStdString(fixedText(value, decimals));
}

struct TableColumn {
  const char *title, *tip;
  QString (*text)(const PredictorResult&);
};

const TableColumn kColumns[] = {
    {QT_TRANSLATE_NOOP("BenchmarkTable", "Predictor"),
     QT_TRANSLATE_NOOP("BenchmarkTable", "Mean over the heads of a model; click a row to draw it"),
     [](const PredictorResult& row) { return QString::fromStdString(row.metric.title); }},
    {"r", QT_TRANSLATE_NOOP("BenchmarkTable", "Pearson's correlation with the score"),
     [](const PredictorResult& row) { return fixed(row.result.pearson, 2); }},
    {"95 %",
     QT_TRANSLATE_NOOP("BenchmarkTable", "Interval of r by Fisher's z; none for three models or fewer"),
     [](const PredictorResult& row) {
       const Interval& interval = row.result.pearsonInterval;
       if (!std::isfinite(interval.low)) return QStringLiteral("\u2013");
       return QStringLiteral("%1 … %2").arg(fixed(interval.low, 2), fixed(interval.high, 2));
     }},
    {"\u03c1", QT_TRANSLATE_NOOP("BenchmarkTable", "Spearman's rank correlation"),
     [](const PredictorResult& row) { return fixed(row.result.spearman, 2); }},
    {"p",
     QT_TRANSLATE_NOOP("BenchmarkTable",
                       "Two-sided, by permutation; not corrected for the number of predictors"),
     [](const PredictorResult& row) { return fixed(row.result.permutationP, 3); }},
    {"n", QT_TRANSLATE_NOOP("BenchmarkTable", "Models with a value and a score"),
     [](const PredictorResult& row) { return QString::number(row.result.n); }},
};

}  // namespace

void BenchmarkTable::setData(std::shared_ptr<const BenchmarkData> data) {
  beginResetModel();
  m_data = std::move(data);
  endResetModel();
}

int BenchmarkTable::rowOf(const std::string& predictor) const {
  for (int row = 0; row < rowCount(); ++row) {
    if (predictorAt(row) == predictor) return row;
  }
  return -1;
}

std::string BenchmarkTable::predictorAt(int row) const {
  return m_data->predictors.at(static_cast<std::size_t>(row)).metric.column;
}

int BenchmarkTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || m_data == nullptr ? 0 : static_cast<int>(m_data->predictors.size());
}

int BenchmarkTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(std::size(kColumns));
}

QVariant BenchmarkTable::data(const QModelIndex& index, int role) const {
  if (m_data == nullptr || !index.isValid()) return {};
  const PredictorResult& row = m_data->predictors.at(static_cast<std::size_t>(index.row()));
  if (role == Qt::DisplayRole) return kColumns[index.column()].text(row);
  if (role == Qt::TextAlignmentRole && index.column() > 0) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) return QString::fromStdString(row.metric.meaning);
  return {};
}

QVariant BenchmarkTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (role == Qt::DisplayRole) return tr(kColumns[section].title);
  if (role == Qt::ToolTipRole) return tr(kColumns[section].tip);
  if (role == Qt::TextAlignmentRole)
    return QVariant((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  return {};
}

}  // namespace plastiscope
