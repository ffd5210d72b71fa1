#pragma once
// Captures and their estimates as child processes of the window.
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <cstdint>

#include "core/base/json_value.h"
#include "core/capture/capture_request.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/jobs/job_runner.h"

namespace plastiscope {

// "48 %" for a share of the work; "less than 1 %" for a very small one.
QString shareText(double share);

// The meaning of an exit code and the amount of work kept, for the user: `lastError` is the sentence of the
// last error event or line, `finished` the number of kept texts, `share` the share of all work when
// half-finished texts are kept too.
struct CaptureEnd {
  enum class Kind { Done, Stopped, Refused, Died };
  Kind kind = Kind::Done;
  QString sentence;
  bool canResume = false;  // finished texts are kept and a restart continues
};
CaptureEnd captureEndOf(bool crashed, int exitCode, const QString& lastError, std::int64_t finished,
                        double share = 0);

// A capture running as a child process of the window: reports progress to a job handle, cancels with SIGTERM
// (and SIGKILL if that is ignored), and turns a crash into a message with an offer to resume.
class CaptureProcess : public QObject {
  Q_OBJECT
 public:
  // `arguments`: those of captureChildArguments(), or of another command of plastiscope-cli, without
  // --progress; `out` is the output.
  CaptureProcess(QString program, QStringList arguments, QString out, const QString& title,
                 QObject* parent = nullptr);
  ~CaptureProcess() override;  // stops the child; finished texts are kept

  // `finishedBefore`: texts kept from earlier runs; -1: the process finishes no texts.
  void start(std::int64_t finishedBefore = 0);
  JobHandle* handle() { return &m_handle; }
  const QString& out() const { return m_out; }
  void setGraceMilliseconds(int milliseconds) { m_grace.setInterval(milliseconds); }

 Q_SIGNALS:
  void textFinished(std::int64_t count);  // one more example is stored; count: of all runs
  void ended(const CaptureEnd& end);

 private:
  void readLines();
  void readLine(const QByteArray& line);
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

// Runs `plastiscope-cli capture --estimate --json` as a child process: tokens, time, memory and disk of a
// draft, or `batch --dry-run --json`. A new request replaces the previous one; requests are debounced, so
// that typing does not start one per key.
class EstimateProcess : public QObject {
  Q_OBJECT
 public:
  explicit EstimateProcess(QString program, QObject* parent = nullptr);
  ~EstimateProcess() override;

  void request(const QStringList& captureArguments);
  void run(const QStringList& arguments);  // another command that prints an estimate as JSON
  void drop();
  void setDelayMilliseconds(int milliseconds) { m_delay.setInterval(milliseconds); }

 Q_SIGNALS:
  void started();
  void ready(const plastiscope::Json& estimate);  // CaptureEstimate::toJson(), or the runs of `batch`
  // refused: the capture itself would fail with this sentence (wrong settings or files, no backend).
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
// Arguments of a child process: `capture`, these arguments, and all texts even where the window runs inside a
// cluster job.
QStringList captureChildArguments(const QStringList& arguments);

// Path of the command line program: beside this executable, or found on the PATH.
QString commandLineProgram();

// Converts arguments with paths as fileText() gives them for a child process. InputError for one that is not
// UTF-8: Qt cannot pass it on.
QStringList programArguments(const QStringList& texts);

}  // namespace plastiscope
