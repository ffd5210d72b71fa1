#include "widgets/explore/pairs_model.h"

#include <cmath>

#include "core/base/error.h"
#include "core/views/metric_info.h"

namespace plastiscope {
namespace {

constexpr int kBefore = 6, kAfter = 12;  // characters around the token

QString number(double value, int decimals) {
  return QString::fromStdString(fixedText(value, decimals));
}

}  // namespace

PairsModel::PairsModel(RowTexts& texts, std::vector<std::string> exampleIds, QObject* parent)
    : QAbstractTableModel(parent), m_texts(texts), m_exampleIds(std::move(exampleIds)) {
  connect(&texts, &RowTexts::arrived, this, [this] {
    if (!m_pairs.empty())
      Q_EMIT dataChanged(index(0, EarlierTextColumn), index(rowCount() - 1, LaterTextColumn),
                         {Qt::DisplayRole});
  });
}

void PairsModel::show(std::vector<InspectedPair> pairs) {
  beginResetModel();
  m_pairs = std::move(pairs);
  endResetModel();
}

int PairsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_pairs.size());
}

int PairsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString PairsModel::nameOf(std::int64_t example) const {
  const auto at = static_cast<std::size_t>(example);
  return at < m_exampleIds.size() ? QString::fromStdString(m_exampleIds[at]) : QString::number(example);
}

// "… they are [linked] directly …"
QString PairsModel::wordsAt(std::int64_t example, std::int64_t position) const {
  const auto text = m_texts.at(example, position);
  if (!text || text->empty()) return {};
  return QString::fromStdString(text->before).right(kBefore) + QStringLiteral("[") +
         QString::fromStdString(text->token) + QStringLiteral("]") +
         QString::fromStdString(text->after).left(kAfter);
}

QVariant PairsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const InspectedPair& pair = pairAt(index.row());
  const int column = index.column();
  if (role == Qt::TextAlignmentRole) {
    const bool left = column == EarlierTextColumn || column == LaterTextColumn || column == ExampleColumn;
    return int(Qt::AlignVCenter | (left ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role != Qt::DisplayRole && role != kSortRole) return {};
  const auto counted = [role](double value) {
    return role == kSortRole ? QVariant(value)
                             : QVariant(QString::fromStdString(withCommas(std::llround(value))));
  };
  const auto measured = [role](double value) {
    return role == kSortRole ? QVariant(value) : QVariant(number(value, 3));
  };
  switch (column) {
    case QueryColumn:
      return counted(pair.tau);
    case EarlierColumn:
      return counted(static_cast<double>(pair.earlier));
    case LaterColumn:
      return counted(static_cast<double>(pair.later));
    case EarlierTextColumn:
      return wordsAt(pair.earlierExample, pair.earlier);
    case LaterTextColumn:
      return wordsAt(pair.laterExample, pair.later);
    case PpColumn:
      return measured(pair.pp);
    case ZColumn:
      return measured(pair.z);
    default:
      return pair.earlierExample == pair.laterExample
                 ? nameOf(pair.earlierExample)
                 : nameOf(pair.earlierExample) + QStringLiteral(" · ") + nameOf(pair.laterExample);
  }
}

QVariant PairsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const QString titles[kColumns] = {tr("Query"), tr("Key 1"), tr("Words"), tr("Key 2"),
                                    tr("Words"), tr("PP"),    tr("z"),     tr("Text")};
  const QString tips[kColumns] = {
      tr("Position of the queries' bin, tokens"),
      tr("Position of the earlier key, tokens"),
      tr("The earlier key's token with the words around it"),
      tr("Position of the later key, tokens"),
      tr("The later key's token with the words around it"),
      tr("Pairwise plasticity 4 p (1 − p): 1 when both keys may win"),
      tr("Mean over standard deviation of the score difference, earlier minus later key"),
      tr("Text that the keys come from")};
  if (role == Qt::DisplayRole) return titles[section];
  if (role == Qt::ToolTipRole) return tips[section];
  return {};
}

}  // namespace plastiscope
