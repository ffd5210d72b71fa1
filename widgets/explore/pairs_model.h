#pragma once
// Key pairs behind a cell of the plasticity map as a table, with the token of each key.
#include <QAbstractTableModel>

#include "core/analysis/pair_inspection.h"
#include "widgets/models/token_context.h"

namespace plastiscope {

class PairsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    QueryColumn,
    EarlierColumn,
    EarlierTextColumn,
    LaterColumn,
    LaterTextColumn,
    PpColumn,
    ZColumn,
    ExampleColumn
  };
  static constexpr int kColumns = 8;
  static constexpr int kSortRole = Qt::UserRole;

  PairsModel(RowTexts& texts, std::vector<std::string> exampleIds, QObject* parent = nullptr);

  void show(std::vector<InspectedPair> pairs);
  const InspectedPair& pairAt(int row) const { return m_pairs.at(static_cast<std::size_t>(row)); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString wordsAt(std::int64_t example, std::int64_t position) const;
  QString nameOf(std::int64_t example) const;

  RowTexts& m_texts;
  std::vector<std::string> m_exampleIds;
  std::vector<InspectedPair> m_pairs;
};

}  // namespace plastiscope
