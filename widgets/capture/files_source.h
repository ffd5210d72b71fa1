#pragma once
// Texts as files, with their tokens and the cut at the window. A worker counts one file after the other, so
// that the list is filled meanwhile.
#include <QAbstractTableModel>
#include <filesystem>
#include <optional>
#include <vector>

#include "widgets/capture/texts_box.h"
#include "widgets/jobs/job_runner.h"

class QLabel;
class QStackedWidget;
class QTableView;

namespace plastiscope {

// Texts of a capture: a check box for each file, its tokens, and where the window cuts it.
class TextsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { NameColumn, BarColumn, TokensColumn, CutColumn, ColumnCount };
  enum Role { TokensRole = Qt::UserRole, WindowRole, LongestRole };  // for the bar's delegate

  struct Row {
    std::filesystem::path file;
    bool taken = true;
    std::optional<TextCount> count;  // nullopt: not counted yet
    QString problem;                 // why it cannot be counted
  };

  using QAbstractTableModel::QAbstractTableModel;

  void addFiles(const std::vector<std::filesystem::path>& files);  // skips those already in the list
  void removeRows(const QModelIndexList& rows);
  void forgetCounts();  // after a change of the tokenizer
  void setCount(const std::filesystem::path& file, const TextCount& count);
  void setProblem(const std::filesystem::path& file, const QString& problem);
  void setWindow(std::int64_t window);  // tokens; 0 = the longest text

  const std::vector<Row>& rows() const { return m_rows; }
  std::vector<std::filesystem::path> takenFiles() const;
  const Row* nextUncounted() const;
  bool allCounted() const { return nextUncounted() == nullptr; }
  std::vector<std::int64_t> lengths() const;  // tokens of every selected and counted text, in order

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

class FilesSource : public TextSource {
  Q_OBJECT
 public:
  explicit FilesSource(Workers& workers, QWidget* parent = nullptr);

  void addPaths(const std::vector<std::filesystem::path>& paths) override;  // folders: their text files
  void clearFiles() override;
  void setWindow(std::int64_t window) override { m_model.setWindow(window); }
  CorpusOptions corpus(const std::filesystem::path& out) const override;
  std::vector<std::int64_t> lengths() const override { return m_model.lengths(); }
  bool counted() const override { return m_model.allCounted(); }
  std::string label() const override;
  void showPreview() override;

 private:
  void countAnew() override;
  void countNext();

  TextsModel m_model;
  JobRunner m_runner;
  QStackedWidget* m_stack;  // the hint, or the table
  QTableView* m_table;
  QLabel* m_note;  // about folders without texts
};

}  // namespace plastiscope
