#pragma once
// The texts of a capture: a box to take or leave each file, its tokens, and where the window cuts it.
#include <QAbstractTableModel>
#include <QStyledItemDelegate>
#include <filesystem>
#include <optional>
#include <vector>

#include "widgets/capture/text_count.h"

namespace plastiscope {

class TextsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { NameColumn, BarColumn, TokensColumn, CutColumn, ColumnCount };
  enum Role { TokensRole = Qt::UserRole, WindowRole, LongestRole };  // for the bar's delegate

  struct Row {
    std::filesystem::path file;
    bool taken = true;
    std::optional<TextCount> count;  // nothing: not counted yet
    QString problem;                 // why it cannot be counted
  };

  using QAbstractTableModel::QAbstractTableModel;

  void addFiles(const std::vector<std::filesystem::path>& files);  // those that are there already are skipped
  void removeRows(const QModelIndexList& rows);
  void forgetCounts();  // another tokenizer
  void setCount(const std::filesystem::path& file, const TextCount& count);
  void setProblem(const std::filesystem::path& file, const QString& problem);
  void setWindow(std::int64_t window);  // tokens; 0 = the longest text

  const std::vector<Row>& rows() const { return m_rows; }
  std::vector<std::filesystem::path> takenFiles() const;
  const Row* nextUncounted() const;
  bool allCounted() const { return nextUncounted() == nullptr; }
  std::vector<std::int64_t> lengths() const;  // tokens of every text that is taken and counted, in order

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void takenChanged();

 private:
  Row* find(const std::filesystem::path& file);
  std::int64_t longest() const;
  std::int64_t effectiveWindow() const;
  void touched();

  std::vector<Row> m_rows;
  std::int64_t m_window = 0;
};

// A bar of tokens: filled up to the window, hatched beyond it, a dotted line at the cut.
class TokenBarDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace plastiscope
