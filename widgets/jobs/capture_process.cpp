#include "widgets/jobs/capture_process.h"

#include <sys/prctl.h>

#include <csignal>

#include "core/base/error.h"
#include "core/store/work_folder.h"
#include "widgets/jobs/child_program.h"
#include "widgets/state/capture_command.h"
#include "widgets/state/file_text.h"

namespace plastiscope {
namespace {
constexpr int kGraceMilliseconds = 15000;
constexpr qsizetype kLongestLine = 1 << 20;
}  // namespace

CaptureProcess::CaptureProcess(QString program, QStringList arguments, QString out, const QString& title,
                               QObject* parent)
    : QObject(parent),
      m_program(std::move(program)),
      m_arguments(std::move(arguments)),
      m_out(std::move(out)),
      m_ticket(title) {
  m_grace.setSingleShot(true);
  m_grace.setInterval(kGraceMilliseconds);
  m_process.setStandardOutputFile(QProcess::nullDevice());
  // A window that dies takes the capture with it; what is finished is kept.
  m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); });
  connect(&m_process, &QProcess::readyReadStandardError, this, &CaptureProcess::readLines);
  connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    readLines();
    finish(status == QProcess::CrashExit, code);
  });
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    m_lastError = tr("%1 could not be started: %2").arg(m_program, m_process.errorString());
    finish(false, 3);
  });
  connect(&m_ticket, &JobTicket::cancelRequested, this, [this] {
    m_asked = true;
    m_process.terminate();
    m_grace.start();
  });
  connect(&m_grace, &QTimer::timeout, &m_process, &QProcess::kill);
}

CaptureProcess::~CaptureProcess() {
  m_process.disconnect(this);
  if (m_process.state() == QProcess::NotRunning) return;
  m_process.terminate();
  if (!m_process.waitForFinished(2000)) {
    m_process.kill();
    m_process.waitForFinished(1000);
  }
}

void CaptureProcess::start(std::int64_t finishedBefore) {
  m_finished = finishedBefore;
  m_ticket.setFinished(m_finished);
  QStringList arguments;
  try {
    arguments = programArguments(captureChildArguments(m_arguments));
  } catch (const Error& error) {
    m_lastError = sanitizedText(error.what());
    // Not before whoever starts it listens.
    QMetaObject::invokeMethod(
        this, [this, code = error.exitCode()] { finish(false, code); }, Qt::QueuedConnection);
    return;
  }
  arguments += {QStringLiteral("--progress"), QStringLiteral("json")};
  m_process.start(m_program, arguments, QIODevice::ReadOnly);
}

void CaptureProcess::readLines() {
  m_process.setReadChannel(QProcess::StandardError);
  while (m_process.canReadLine()) take(m_process.readLine(kLongestLine).trimmed());
}

void CaptureProcess::take(const QByteArray& line) {
  if (line.isEmpty()) return;
  const auto event = parseCaptureEvent(line);
  if (!event) {
    // A plain message, e.g. of the loader or the command line parser; an error event says it better.
    if (!m_errorEvent) m_lastError = plainSentence(QString::fromUtf8(line));
    return;
  }
  using Kind = CaptureEvent::Kind;
  if (event->kind == Kind::Progress) m_ticket.report(event->progress);
  if (event->kind == Kind::Warning) m_ticket.warn(event->sentence);
  if (event->kind == Kind::Error) {
    m_lastError = event->sentence;
    m_errorEvent = true;
  }
  if (event->kind == Kind::Unit) {
    m_ticket.setFinished(++m_finished);
    Q_EMIT textFinished(m_finished);
  }
}

void CaptureProcess::finish(bool crashed, int exitCode) {
  if (std::exchange(m_over, true)) return;
  m_grace.stop();
  const auto kept = WorkFolder::summaryOf(m_out.toStdString());
  const double share = kept ? kept->parkedShare : 0;
  CaptureEnd end = captureEndOf(crashed, exitCode, m_lastError, m_finished, share);
  if (m_asked && end.kind == CaptureEnd::Kind::Died)
    end = captureEndOf(false, 5, {}, m_finished, share);  // killed on request
  using State = JobTicket::State;
  const State state = end.kind == CaptureEnd::Kind::Done      ? State::Done
                      : end.kind == CaptureEnd::Kind::Stopped ? State::Stopped
                                                              : State::Failed;
  m_ticket.end(state, end.sentence);
  Q_EMIT ended(end);
}

}  // namespace plastiscope
