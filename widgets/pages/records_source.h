#pragma once
// Texts as records of a benchmark file (LongBench-Pro and the like): filters by what the records say about
// themselves, a list of what passes, single records to leave out.
#include "widgets/jobs/job_relay.h"
#include "widgets/models/records_model.h"
#include "widgets/pages/text_source.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableView;
class QTreeWidget;
class QTreeWidgetItem;

namespace plastiscope {

class RecordsSource : public TextSource {
  Q_OBJECT
 public:
  explicit RecordsSource(Workers& workers, QWidget* parent = nullptr);

  QString title() const override { return tr("LongBench-Pro"); }
  QString emptyHint() const override;
  QString fileFilter() const override;
  void addPaths(const std::vector<std::filesystem::path>& paths) override;  // replaces what is there
  void setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) override;
  void setOptions(const CorpusOptions& options) override;
  CorpusOptions corpus(const std::filesystem::path& out) const override;
  std::vector<std::int64_t> lengths() const override { return m_model.lengths(); }
  bool counted() const override { return m_counted; }
  QString problem() const override { return m_problem; }
  std::string label() const override;
  void showPreview() override;

 private:
  enum Page { Empty, Reading, List };

  QWidget* buildReading();
  QWidget* buildList();
  void take(Outcome<RecordList> list);
  void fillFilters();
  void showFilterCounts();
  void filterChanged(QTreeWidgetItem* item);
  void choiceChanged();
  void count();
  void previewRow(int row);

  std::shared_ptr<const Tokenizer> m_tokenizer;
  std::shared_ptr<RecordCounts> m_counts;
  CorpusOptions m_options;
  RecordsModel m_model;
  JobRelay m_reading, m_counting, m_previewing;
  std::unique_ptr<JobTicket> m_readTicket, m_countTicket;
  std::vector<std::filesystem::path> m_places;
  QString m_problem;
  TextCount m_first;
  bool m_counted = false;
  QStackedWidget* m_stack;
  QLabel *m_hint, *m_readNote;
  QProgressBar* m_readBar;
  QTreeWidget* m_filters;
  QTableView* m_table;
};

}  // namespace plastiscope
