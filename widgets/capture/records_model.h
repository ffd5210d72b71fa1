#pragma once
// The records that the filters let through, as a table: id with a box to leave it out, tokens, fields.
#include <QAbstractTableModel>
#include <memory>

#include "widgets/capture/record_counts.h"
#include "widgets/capture/record_facets.h"

namespace plastiscope {

class RecordsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { IdColumn, TokensColumn, FirstField };

  using QAbstractTableModel::QAbstractTableModel;

  void setList(std::shared_ptr<const RecordList> list);  // null: empty
  const RecordList* list() const { return m_list.get(); }
  const RecordChoice& choice() const { return m_choice; }
  void setWanted(int field, int value, bool wanted);
  void setCounts(std::shared_ptr<const RecordCounts> counts);  // null: nothing is counted
  void countsChanged();

  const RecordEntry& recordAt(int row) const {
    return m_list->records[m_shown[static_cast<std::size_t>(row)]];
  }
  std::vector<std::int64_t> lengths() const;  // of the taken records that are counted
  std::int64_t taken() const;
  std::vector<std::pair<std::string, std::string>> selection() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void choiceChanged();

 private:
  void filter();

  std::shared_ptr<const RecordList> m_list;
  std::shared_ptr<const RecordCounts> m_counts;
  RecordChoice m_choice;
  std::vector<std::size_t> m_shown;  // records that pass
};

}  // namespace plastiscope
