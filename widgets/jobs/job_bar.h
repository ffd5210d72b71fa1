#pragma once
// The strip at the bottom of the window: the running job with bar, count, rate, time left and Cancel; the
// others in a menu beside it.
#include <QFrame>
#include <QPointer>

#include "widgets/jobs/job_list.h"

class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace plastiscope {

class JobBar : public QFrame {
  Q_OBJECT
 public:
  explicit JobBar(JobList& jobs, QWidget* parent = nullptr);

 private:
  void refresh();
  void fillMenu();
  JobTicket* shown() const;

  JobList& m_jobs;
  QPointer<JobTicket> m_chosen;  // picked in the menu; else the newest
  QLabel *m_title, *m_done, *m_rate, *m_left, *m_idle, *m_note;
  QProgressBar* m_bar;
  QToolButton* m_more;
  QMenu* m_menu;
  QPushButton* m_cancel;
};

}  // namespace plastiscope
