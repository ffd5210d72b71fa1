#pragma once
// A capture running as a child process of the window: its progress becomes a job ticket's, cancel is SIGTERM
// (and a kill when that is not obeyed), a crash becomes a sentence with the offer to resume.
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include "widgets/jobs/capture_events.h"
#include "widgets/jobs/job_ticket.h"

namespace plastiscope {

class CaptureProcess : public QObject {
  Q_OBJECT
 public:
  // `arguments` are those of `plastiscope-cli capture` without --progress; `out` is the file that will
  // appear.
  CaptureProcess(QString program, QStringList arguments, QString out, const QString& title,
                 QObject* parent = nullptr);
  ~CaptureProcess() override;  // stops the child; finished texts are kept

  // `finishedBefore`: texts of earlier runs that are kept; -1: the process finishes none itself.
  void start(std::int64_t finishedBefore = 0);
  JobTicket* ticket() { return &m_ticket; }
  const QString& out() const { return m_out; }
  void setGraceMilliseconds(int milliseconds) { m_grace.setInterval(milliseconds); }

 Q_SIGNALS:
  void textFinished(std::int64_t count);  // one more example is durable; count: of all runs
  void ended(const CaptureEnd& end);

 private:
  void readLines();
  void take(const QByteArray& line);
  void finish(bool crashed, int exitCode);

  QString m_program;
  QStringList m_arguments;
  QString m_out, m_lastError;
  QProcess m_process;
  JobTicket m_ticket;
  QTimer m_grace;
  std::int64_t m_finished = 0;  // texts
  bool m_asked = false, m_over = false, m_errorEvent = false;
};

}  // namespace plastiscope
