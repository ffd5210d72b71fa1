#pragma once
// Bar at the bottom of the window: the running job with progress, count, rate, time left, View and Cancel;
// other jobs, interrupted captures and captures of other processes in menus beside it.
#include <QFrame>
#include <QPointer>

#include "widgets/jobs/job_handle.h"

class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace plastiscope {

class CaptureList;

class JobBar : public QFrame {
  Q_OBJECT
 public:
  explicit JobBar(JobList& jobs, QWidget* parent = nullptr);
  void offerUnfinished(CaptureList& captures);  // and those of other processes; must outlive the bar

 private:
  void refresh();
  void fillMenu();
  JobHandle* shown() const;
  QToolButton* menuButton(QMenu* menu, const QString& tip);

  JobList& m_jobs;
  QPointer<JobHandle> m_chosen;  // picked in the menu; else the newest
  QLabel *m_title, *m_done, *m_rate, *m_left, *m_idle, *m_note;
  QProgressBar* m_bar;
  QMenu *m_menu, *m_unfinishedMenu, *m_elsewhereMenu;
  QToolButton *m_more, *m_unfinished, *m_elsewhere;
  QPushButton *m_view, *m_cancel;
};

}  // namespace plastiscope
