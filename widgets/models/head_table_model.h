#pragma once
#include <QAbstractTableModel>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/capture/head_list.h"
#include "core/store/analysis_file.h"
#include "core/views/head_filter.h"
#include "core/views/plasticity_choice.h"

namespace plastiscope {

// The heads of a study as a table: star, name, and chosen columns of heads.csv. Missing values are empty.
class HeadTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role { SortRole = Qt::UserRole, RichTitleRole };  // number, text or empty; header with <sub>
  enum FixedColumn { StarColumn, NameColumn, FirstValueColumn };

  explicit HeadTableModel(QObject* parent = nullptr);

  void setHeads(std::shared_ptr<const AnalysisFile> analysis);  // shows newly imported columns first
  void setColumns(const std::vector<std::string>& columns);     // in heads.csv; unknown names are ignored
  const std::vector<std::string>& columns() const { return m_columns; }
  void setMarked(const std::set<HeadName>& marked);

  void setNotes(const std::map<HeadName, std::string>& notes);
  void setDamaged(const std::map<HeadName, std::string>& heads);  // unreadable heads, with reasons

  const Table* heads() const { return m_heads; }  // null before setHeads()
  HeadName headAt(int row) const;
  int rowOf(HeadName head) const;  // -1: not captured
  bool isMarked(int row) const { return m_marked.contains(headAt(row)); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  static std::vector<std::string> standardColumns(ApKind plasticity = ApKind::Binned);

 private:
  void columnsChanged(int first, int last);
  QVariant cell(const std::string& column, int row, int role) const;

  std::shared_ptr<const AnalysisFile> m_analysis;
  const Table* m_heads = nullptr;
  std::vector<std::string> m_columns;
  std::map<HeadName, int> m_rows;
  std::map<std::string, int> m_decimals;  // decimals of the shown columns
  std::set<HeadName> m_marked;
  std::map<HeadName, std::string> m_notes, m_damaged;
};

// Sorted and filtered; missing values are last in both directions.
class HeadTableProxy : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit HeadTableProxy(HeadTableModel& model, QObject* parent = nullptr);

  // Keeps the previous filter when the expression is invalid and throws FilterError.
  void setExpression(const std::string& expression);
  // Groups that an expression can name; the current one is evaluated again.
  void setGroups(const HeadGroups& groups);
  bool filtering() const { return !m_filter.empty(); }
  std::set<HeadName> matchingHeads() const;  // all that match the expression
  // Limits the matching heads to these, ascending; nullopt = no limit.
  void setOnly(std::optional<std::vector<HeadName>> heads);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  HeadTableModel& m_model;
  HeadFilter m_filter;
  std::string m_expression;
  HeadGroups m_groups;
  std::optional<std::vector<HeadName>> m_only;
};

// Table header that draws subscripts, "r<sub>Q,a</sub>", from HeadTableModel::RichTitleRole.
class RichHeader : public QHeaderView {
  Q_OBJECT
 public:
  explicit RichHeader(QWidget* parent = nullptr);

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int section) const override;
};

}  // namespace plastiscope
