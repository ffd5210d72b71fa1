#pragma once
// Texts as files, with their tokens and the cut at the window. Counting happens in a worker, one file after
// the other, so that the list fills while it goes on.
#include "widgets/capture/text_source.h"
#include "widgets/capture/texts_model.h"
#include "widgets/jobs/job_runner.h"

class QLabel;
class QStackedWidget;
class QTableView;

namespace plastiscope {

class FilesSource : public TextSource {
  Q_OBJECT
 public:
  explicit FilesSource(Workers& workers, QWidget* parent = nullptr);

  QString title() const override { return tr("&Files"); }
  QString emptyHint() const override;
  QString fileFilter() const override;
  void addPaths(const std::vector<std::filesystem::path>& paths) override;  // folders give their text files
  void clearFiles() override;
  void setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) override;
  void setOptions(const CorpusOptions& options) override;
  void setWindow(std::int64_t window) override { m_model.setWindow(window); }
  CorpusOptions corpus(const std::filesystem::path& out) const override;
  std::vector<std::int64_t> lengths() const override { return m_model.lengths(); }
  bool counted() const override { return m_model.allCounted(); }
  std::string label() const override;
  void showPreview() override;

 private:
  void countNext();
  void showPage();

  std::shared_ptr<const Tokenizer> m_tokenizer;
  CorpusOptions m_options;
  TextsModel m_model;
  JobRelay m_relay;
  QStackedWidget* m_stack;  // the hint, or the table
  QTableView* m_table;
  QLabel* m_note;  // about folders without texts
};

}  // namespace plastiscope
