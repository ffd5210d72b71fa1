#pragma once
// Tabs for a file that is being opened, or was not found.
#include <QWidget>
#include <filesystem>

#include "widgets/jobs/job_handle.h"
#include "widgets/state/session_state.h"

class QFrame;
class QLabel;
class QProgressBar;
class QPushButton;

namespace plastiscope {

// Progress of opening a file with Cancel, and the error if it failed.
class LoadingPage : public QWidget {
  Q_OBJECT
 public:
  // `handle`: job that opens `file`.
  LoadingPage(std::filesystem::path file, JobHandle& handle, QWidget* parent = nullptr);
  const std::filesystem::path& file() const { return m_file; }
  bool failed() const { return m_failed; }

 Q_SIGNALS:
  void retryRequested();

 private:
  void refresh(const JobHandle& handle);

  std::filesystem::path m_file;
  bool m_failed = false;
  QLabel *m_title, *m_state, *m_note;
  QProgressBar* m_bar;
  QPushButton *m_cancel, *m_retry;
};

// A file that was moved or cannot be read: what it was, why it is not shown, and possible actions. The tab
// keeps its place and its settings.
class MissingPage : public QWidget {
  Q_OBJECT
 public:
  // `why`: one sentence; `gone`: the file is missing, not damaged.
  MissingPage(SessionTab tab, const QString& why, bool gone, QWidget* parent = nullptr);

  const SessionTab& tab() const { return m_tab; }
  const std::filesystem::path& file() const { return m_tab.file; }
  const QString& why() const { return m_why; }
  // Reports a chosen file that does not match, and offers to open it anyway.
  void refuse(const std::filesystem::path& file, const QString& sentence);
  // Offers the analysis found beside the missing capture.
  void offerAnalysis(const std::filesystem::path& analysis);

 Q_SIGNALS:
  void locateRequested();
  void retryRequested();
  void closeRequested();
  void openRequested(const std::filesystem::path& file);  // opens it anyway, in this tab
  void analysisRequested(const std::filesystem::path& file);

 private:
  QPushButton* addButton(const char* name, const QString& text, const QString& tip);

  SessionTab m_tab;
  QString m_why;
  std::filesystem::path m_refused, m_analysis;
  QLabel* m_refusal;
  QFrame* m_refusalRow;
  QPushButton *m_open, *m_showAnalysis;
};

}  // namespace plastiscope
