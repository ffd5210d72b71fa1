#pragma once
// The capture dialog's texts: one page for each way to name them, and what the chosen ones come to.
#include <QTemporaryDir>
#include <QWidget>
#include <optional>
#include <vector>

#include "widgets/capture/text_source.h"
#include "widgets/jobs/job_runner.h"

class QLabel;
class QTabWidget;
class QPlainTextEdit;
class QTimer;

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

// A text that is pasted or typed; Start writes it into a file beside the capture.
class PastedSource : public TextSource {
  Q_OBJECT
 public:
  explicit PastedSource(Workers& workers, QWidget* parent = nullptr);

  CorpusOptions corpus(const std::filesystem::path& out) const override;
  std::vector<std::int64_t> lengths() const override;
  bool counted() const override { return m_count.has_value(); }
  QString problem() const override { return m_problem; }
  std::string label() const override { return "pasted text"; }
  CorpusOptions readableCorpus(const std::filesystem::path& out) const override;
  void prepare(const std::filesystem::path& out) override;
  void showPreview() override;

 private:
  void countAnew() override;
  void count();
  std::filesystem::path temporaryFile() const;
  void writeTemporary(const std::string& text);

  JobRunner m_runner;
  std::optional<TextCount> m_count;
  QTemporaryDir m_folder;  // of the text as far as it is counted
  int m_version = 0;       // its file has another name after every change, so that it is estimated anew
  QString m_problem;
  QPlainTextEdit* m_text;
  QTimer* m_delay;
};

}  // namespace plastiscope
