#include "widgets/jobs/estimate_process.h"

#include "core/base/error.h"
#include "core/base/json.h"
#include "widgets/jobs/capture_events.h"
#include "widgets/jobs/child_program.h"
#include "widgets/state/capture_command.h"
#include "widgets/state/file_text.h"

namespace plastiscope {
namespace {

constexpr int kDelayMilliseconds = 500;

// The last line of what the program said, without its name in front.
QString sentenceOf(const QByteArray& said) {
  return plainSentence(QString::fromUtf8(said.trimmed().split('\n').last()));
}

}  // namespace

EstimateProcess::EstimateProcess(QString program, QObject* parent)
    : QObject(parent), m_program(std::move(program)) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMilliseconds);
  connect(&m_delay, &QTimer::timeout, this, &EstimateProcess::launch);
}

EstimateProcess::~EstimateProcess() {
  drop();
}

void EstimateProcess::request(const QStringList& captureArguments) {
  drop();
  m_arguments = captureArguments;
  m_delay.start();
}

void EstimateProcess::drop() {
  m_delay.stop();
  if (!m_process) return;
  m_process->disconnect(this);
  m_process->kill();
  // Kept until the system has reaped it, so that no zombie remains and nobody waits here.
  m_process->setParent(nullptr);
  connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
  if (m_process->state() == QProcess::NotRunning) m_process->deleteLater();
  m_process = nullptr;
}

void EstimateProcess::launch() {
  QStringList arguments;
  try {
    arguments = programArguments(captureChildArguments(m_arguments));
  } catch (const Error& error) {
    Q_EMIT failed(sanitizedText(error.what()), true);
    return;
  }
  m_process = new QProcess(this);
  connect(m_process, &QProcess::finished, this, &EstimateProcess::finished);
  connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) Q_EMIT failed(tr("plastiscope-cli could not be started."), true);
  });
  Q_EMIT started();
  arguments += {QStringLiteral("--estimate"), QStringLiteral("--json"), QStringLiteral("--progress"),
                QStringLiteral("none")};
  m_process->start(m_program, arguments, QIODevice::ReadOnly);
}

void EstimateProcess::finished(int exitCode, QProcess::ExitStatus status) {
  QProcess* process = std::exchange(m_process, nullptr);
  process->deleteLater();
  const QByteArray output = process->readAllStandardOutput();
  const Json estimate = Json::parse(output.begin(), output.end(), nullptr, false);
  if (status == QProcess::NormalExit && estimate.is_object()) {
    Q_EMIT ready(estimate);  // also with exit code 4: it says what does not fit
    return;
  }
  if (status == QProcess::CrashExit) {
    Q_EMIT failed(tr("The estimate's process died, perhaps for want of memory. A shorter window or a smaller "
                     "compute type needs less."),
                  false);
    return;
  }
  const QString said = sentenceOf(process->readAllStandardError());
  const bool refused =
      exitCode == static_cast<int>(ErrorKind::Usage) || exitCode == static_cast<int>(ErrorKind::Input);
  Q_EMIT failed(!said.isEmpty() ? said : tr("The estimate ended with code %1.").arg(exitCode), refused);
}

}  // namespace plastiscope
