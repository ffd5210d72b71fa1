#pragma once
// Texts as records of a benchmark file (LongBench-Pro and the like): filters by what the records say about
// themselves, a list of what passes, single records to leave out.
#include <QWidget>

#include "core/text/record_files.h"
#include "widgets/capture/records_browser.h"
#include "widgets/capture/text_source.h"
#include "widgets/jobs/job_runner.h"

class QStackedWidget;
class QLabel;
class QVBoxLayout;

namespace plastiscope {

class RecordsReading;
class RecordsStart;

class RecordsSource : public TextSource {
  Q_OBJECT
 public:
  explicit RecordsSource(Workers& workers, QWidget* parent = nullptr);

  QString title() const override { return tr("&LongBench-Pro"); }
  QString emptyHint() const override;
  QString fileFilter() const override;
  void addPaths(const std::vector<std::filesystem::path>& paths) override;  // replaces what is there
  void setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) override;
  void setOptions(const CorpusOptions& options) override;
  CorpusOptions corpus(const std::filesystem::path& out) const override;
  std::vector<std::int64_t> lengths() const override { return m_model.lengths(); }
  bool counted() const override { return m_counted; }
  QString problem() const override { return m_readProblem.isEmpty() ? m_countProblem : m_readProblem; }
  std::string label() const override;
  void showPreview() override;

 private:
  void read(const std::vector<std::filesystem::path>& places, const std::string& name);
  void take(JobResult<RecordList> list);
  void leave();  // back to the start
  void choiceChanged();
  void count();
  void previewRow(int row);

  std::shared_ptr<const Tokenizer> m_tokenizer;
  std::shared_ptr<RecordCounts> m_counts;
  CorpusOptions m_options;
  RecordsModel m_model;
  JobRunner m_reading, m_counting, m_previewing;
  std::unique_ptr<JobHandle> m_readTicket, m_countTicket;
  std::string m_name = "records";  // of the file or the data set
  QString m_readProblem, m_countProblem;
  TextCount m_first;
  bool m_counted = false;
  QStackedWidget* m_stack;
  RecordsStart* m_start;
  RecordsReading* m_page;
  RecordsBrowser* m_browser;
};

// The page of the records source before there are any: what to choose, or why that could not be used, and
// the data sets that are on this computer already.
class RecordsStart : public QWidget {
  Q_OBJECT
 public:
  RecordsStart(Workers& workers, const QString& hint, QWidget* parent = nullptr);
  void say(const QString& sentence);  // "" = the hint

 Q_SIGNALS:
  void chosen(const plastiscope::FoundRecords& records);

 private:
  void offer(const std::vector<FoundRecords>& found);

  QString m_hint;
  JobRunner m_search;
  QLabel* m_text;
  QVBoxLayout* m_choices;
};

}  // namespace plastiscope
