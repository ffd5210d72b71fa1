#pragma once
// A tab while its file is being opened: what is done, how far, Cancel; and what went wrong when it failed.
#include <QWidget>
#include <filesystem>

#include "widgets/jobs/job_handle.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace plastiscope {

class LoadingPage : public QWidget {
  Q_OBJECT
 public:
  // `ticket` is that of the job that opens `file`.
  LoadingPage(std::filesystem::path file, JobTicket& ticket, QWidget* parent = nullptr);
  const std::filesystem::path& file() const { return m_file; }
  bool failed() const { return m_failed; }

 Q_SIGNALS:
  void retryRequested();

 private:
  void refresh(const JobTicket& ticket);

  std::filesystem::path m_file;
  bool m_failed = false;
  QLabel *m_title, *m_state, *m_note;
  QProgressBar* m_bar;
  QPushButton *m_cancel, *m_retry;
};

}  // namespace plastiscope
