#pragma once
// The capture dialog's texts: files with their tokens and the cut at the window, or pasted text. Counting
// happens in a worker, one file after the other, so that the list fills while it goes on.
#include <QWidget>
#include <filesystem>
#include <memory>

#include "core/text/tokenizer.h"
#include "widgets/jobs/job_relay.h"
#include "widgets/models/texts_model.h"

class QLabel;
class QPlainTextEdit;
class QTabWidget;
class QTableView;
class QTimer;

namespace plastiscope {

class TextsBox : public QWidget {
  Q_OBJECT
 public:
  explicit TextsBox(Workers& workers, QWidget* parent = nullptr);

  void setTokenizer(std::shared_ptr<const Tokenizer> tokenizer);   // null: nothing is counted
  void addPaths(const std::vector<std::filesystem::path>& paths);  // folders give their text files
  void setWindow(std::int64_t window);                             // as in CapturePlan

  bool usesPastedText() const;
  QString pastedText() const;
  TextsModel& model() { return m_model; }
  // Of what would be captured now; 0 while nothing is counted.
  std::int64_t texts() const;
  std::int64_t longest() const;
  std::int64_t tokensAfterCut(std::int64_t window) const;
  // A word for the file name: the folder's or the only file's.
  std::string label() const;

 Q_SIGNALS:
  void changed();  // other texts, or new counts
  void previewChanged(const QString& name, const plastiscope::TextCount& count);

 private:
  void countNext();
  void countPasted();
  void showSummary();
  void showPreview();
  void askForFiles();
  void askForFolder();

  std::shared_ptr<const Tokenizer> m_tokenizer;
  TextsModel m_model;
  JobRelay m_relay, m_pastedRelay;
  std::optional<TextCount> m_pasted;
  std::int64_t m_window = 0;
  QTabWidget* m_tabs;
  QTableView* m_table;
  QPlainTextEdit* m_paste;
  QLabel* m_summary;
  QTimer* m_pasteDelay;
};

}  // namespace plastiscope
