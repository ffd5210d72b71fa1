#pragma once
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "core/base/json_value.h"
#include "core/capture/capture_request.h"
#include "widgets/jobs/capture_end.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/jobs/job_runner.h"

namespace plastiscope {

// A capture running as a child process of the window: its progress becomes a job handle's, cancel is SIGTERM
// (and a kill when that is not obeyed), a crash becomes a sentence with the offer to resume.
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
  JobHandle* handle() { return &m_handle; }
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
  JobHandle m_handle;
  QTimer m_grace;
  std::int64_t m_finished = 0;  // texts
  bool m_asked = false, m_over = false, m_errorEvent = false;
};

// `plastiscope-cli capture --estimate --json` as a child process: tokens, time, memory and disk of a draft. A
// new request overtakes the one before; requests wait a moment, so that typing does not start one for every
// key.
class EstimateProcess : public QObject {
  Q_OBJECT
 public:
  explicit EstimateProcess(QString program, QObject* parent = nullptr);
  ~EstimateProcess() override;

  void request(const QStringList& captureArguments);
  void drop();
  void setDelayMilliseconds(int milliseconds) { m_delay.setInterval(milliseconds); }

 Q_SIGNALS:
  void started();
  void ready(const plastiscope::Json& estimate);  // CaptureEstimate::toJson()
  // refused: the capture itself would end with this sentence (wrong settings or files, no backend).
  void failed(const QString& sentence, bool refused);

 private:
  void launch();
  void finished(int exitCode, QProcess::ExitStatus status);

  QString m_program;
  QStringList m_arguments;
  QProcess* m_process = nullptr;
  QTimer m_delay;
};

// Arguments after `plastiscope-cli capture`; options that have their default value are left out.
QStringList captureArguments(const CaptureRequest& request);
// What a child process gets: `capture`, these arguments, and all texts also where the window runs inside a
// cluster's job.
QStringList captureChildArguments(const QStringList& arguments);
// The command for a shell.
QString captureCommandText(const CaptureRequest& request);

// Where the command line program is: beside our own executable, or found on the PATH.

QString commandLineProgram();

// What is handed to it, of arguments that hold paths as fileText() gives them. InputError when one is not
// UTF-8: Qt cannot pass it on.
QStringList programArguments(const QStringList& texts);

}  // namespace plastiscope
