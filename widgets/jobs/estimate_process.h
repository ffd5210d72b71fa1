#pragma once
// `plastiscope-cli capture --estimate --json` as a child process: tokens, time, memory and disk of a draft. A
// new request overtakes the one before; requests wait a moment, so that typing does not start one for every
// key.
#include <QProcess>
#include <QTimer>

#include "core/base/json_value.h"
#include "widgets/jobs/outcome.h"

namespace plastiscope {

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

}  // namespace plastiscope
