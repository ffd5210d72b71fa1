#pragma once
// Texts as records of a benchmark file (LongBench-Pro etc.): metadata filters, a list of matching records,
// single records to exclude.
#include <QWidget>

#include "widgets/capture/record_list.h"
#include "widgets/capture/texts_box.h"
#include "widgets/jobs/job_runner.h"

class QStackedWidget;

namespace plastiscope {

class RecordsBrowser;
class RecordsReading;
class RecordsStart;

class RecordsSource : public TextSource {
  Q_OBJECT
 public:
  explicit RecordsSource(Workers& workers, QWidget* parent = nullptr);

  void addPaths(const std::vector<std::filesystem::path>& paths) override;  // replaces the current file
  CorpusOptions corpus(const std::filesystem::path& out) const override;
  std::vector<std::int64_t> lengths() const override { return m_model.lengths(); }
  bool counted() const override { return m_counted; }
  QString problem() const override { return m_readProblem.isEmpty() ? m_countProblem : m_readProblem; }
  std::string label() const override;
  void showPreview() override;

 private:
  void read(const std::vector<std::filesystem::path>& places, const std::string& name);
  void showList(JobResult<RecordList> list);
  void showStart();
  void choiceChanged();
  void countAnew() override;
  void count();
  void previewRow(int row);

  std::shared_ptr<RecordCounts> m_counts;
  RecordsModel m_model;
  JobRunner m_reading, m_counting, m_previewing;
  std::unique_ptr<JobHandle> m_readTicket, m_countTicket;
  std::string m_name = "records";  // name of the file or data set
  QString m_readProblem, m_countProblem;
  TextCount m_first;
  bool m_counted = false;
  QStackedWidget* m_stack;
  RecordsStart* m_start;
  RecordsReading* m_page;
  RecordsBrowser* m_browser;
};

}  // namespace plastiscope
