#pragma once
// Texts of the capture dialog: one page for each kind of source, and totals of the chosen texts.
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
  void clearFiles();                    // only texts given as files, not records or pasted text
  void setWindow(std::int64_t window);  // as in CapturePlan

  TextSource& source() const;
  TextTotals totals(std::int64_t window) const;  // of texts counted so far

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

// Pasted or typed text; Start writes it to a file beside the capture.
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
  QTemporaryDir m_folder;  // copy of the counted text
  int m_version = 0;       // changes the file name with every change, so that it is estimated again
  QString m_problem;
  QPlainTextEdit* m_text;
  QTimer* m_delay;
};

}  // namespace plastiscope
