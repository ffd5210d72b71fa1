#pragma once
// The capture dialog's texts: one page for each way to name them, and what the chosen ones come to.
#include <QWidget>
#include <vector>

#include "widgets/capture/text_source.h"
#include "widgets/jobs/job_runner.h"

class QLabel;
class QTabWidget;

namespace plastiscope {

class TextsBox : public QWidget {
  Q_OBJECT
 public:
  explicit TextsBox(Workers& workers, QWidget* parent = nullptr);

  void setTokenizer(const std::shared_ptr<const Tokenizer>& tokenizer);
  void setOptions(const CorpusOptions& options);  // as TextSource::setOptions
  void addPaths(const std::vector<std::filesystem::path>& paths);
  void clearFiles();                    // texts that are named as files, not records and pasted ones
  void setWindow(std::int64_t window);  // as in CapturePlan

  TextSource& source() const;
  TextTotals totals(std::int64_t window) const;  // of what is counted

 Q_SIGNALS:
  void changed();  // other texts, or new counts
  void previewChanged(const QString& name, const plastiscope::TextCount& count);

 private:
  void showSummary();
  void askForFiles();
  void askForFolder();

  std::vector<TextSource*> m_sources;
  bool m_hasTokenizer = false;
  std::int64_t m_window = 0, m_most = -1;
  QTabWidget* m_tabs;
  QLabel* m_summary;
};

}  // namespace plastiscope
