#include "widgets/jobs/capture_process.h"

#include <QCoreApplication>
#include <QObject>
#include <QStandardPaths>
#include <csignal>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/platform.h"
#include "core/base/progress_event.h"
#include "core/store/work_folder.h"
#include "widgets/state/file_text.h"

namespace plastiscope {

namespace {

QString keptSentence(std::int64_t finished, double share) {
  if (share > 0 && finished == 0)
    return QObject::tr("No text was finished yet; %1 of the work is kept.").arg(shareText(share));
  if (share > 0 && finished > 0) {
    return finished == 1 ? QObject::tr("The finished text is kept, and %1 of all work.").arg(shareText(share))
                         : QObject::tr("The %1 finished texts are kept, and %2 of all work.")
                               .arg(finished)
                               .arg(shareText(share));
  }
  if (finished < 0) return QObject::tr("Finished texts are kept.");
  if (finished == 0) return QObject::tr("No text was finished yet.");
  return finished == 1 ? QObject::tr("The finished text is kept.")
                       : QObject::tr("The %1 finished texts are kept.").arg(finished);
}

}  // namespace

QString shareText(double share) {
  if (share < 0.01) return QObject::tr("less than 1 %");
  return QObject::tr("%1 %").arg(static_cast<int>(100 * share));
}

CaptureEnd captureEndOf(bool crashed, int exitCode, const QString& lastError, std::int64_t finished,
                        double share) {
  using End = CaptureEnd::Kind;
  if (crashed) {
    return {End::Died,
            QObject::tr("The capture process crashed, possibly out of memory. %1")
                .arg(keptSentence(finished, share)),
            true};
  }
  switch (exitCode) {
    case 0:
      return {End::Done, {}, false};
    case 5:
      return {End::Stopped, QObject::tr("Stopped. %1").arg(keptSentence(finished, share)), true};
    case 4:
      return {End::Refused,
              lastError.isEmpty() ? QObject::tr("Not enough memory or disk for this capture.") : lastError,
              true};
    case 2:
    case 3:
      return {End::Refused,
              lastError.isEmpty() ? QObject::tr("The capture was refused (exit code %1).").arg(exitCode)
                                  : lastError,
              false};
    default:
      return {End::Died,
              lastError.isEmpty() ? QObject::tr("The capture process failed with exit code %1.").arg(exitCode)
                                  : lastError,
              true};
  }
}

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
      m_handle(title) {
  m_grace.setSingleShot(true);
  m_grace.setInterval(kGraceMilliseconds);
  m_process.setStandardOutputFile(QProcess::nullDevice());
  // The child ends with the window, also if that crashes; finished work is kept.
  m_process.setChildProcessModifier(endWithParent);
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
  connect(&m_handle, &JobHandle::cancelRequested, this, [this] {
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
  m_handle.setFinished(m_finished);
  QStringList arguments;
  try {
    arguments = programArguments(m_arguments);
  } catch (const Error& error) {
    m_lastError = sanitizedText(error.what());
    // Deferred until the caller has connected its slots.
    QMetaObject::invokeMethod(
        this, [this, code = error.exitCode()] { finish(false, code); }, Qt::QueuedConnection);
    return;
  }
  arguments += {QStringLiteral("--progress"), QStringLiteral("json")};
  m_process.start(m_program, arguments, QIODevice::ReadOnly);
}

void CaptureProcess::readLines() {
  m_process.setReadChannel(QProcess::StandardError);
  while (m_process.canReadLine()) readLine(m_process.readLine(kLongestLine).trimmed());
}

void CaptureProcess::readLine(const QByteArray& line) {
  if (line.isEmpty()) return;
  const auto event = parseProgressEvent(std::string_view(line.constData(), line.size()));
  if (!event) {
    // A plain message, e.g. of the loader or the command line parser; an error event is more precise.
    if (!m_errorEvent) m_lastError = QString::fromStdString(plainSentence(line.toStdString()));
    return;
  }
  using Kind = ProgressEvent::Kind;
  if (event->kind == Kind::Progress) m_handle.report(event->progress);
  if (event->kind == Kind::Warning) m_handle.warn(QString::fromStdString(event->sentence));
  if (event->kind == Kind::Error) {
    m_lastError = QString::fromStdString(event->sentence);
    m_errorEvent = true;
  }
  if (event->kind == Kind::Unit) {
    m_handle.setFinished(++m_finished);
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
    end = captureEndOf(false, 5, {}, m_finished, share);  // killed after a cancel
  using State = JobHandle::State;
  const State state = end.kind == CaptureEnd::Kind::Done      ? State::Done
                      : end.kind == CaptureEnd::Kind::Stopped ? State::Stopped
                                                              : State::Failed;
  m_handle.end(state, end.sentence);
  Q_EMIT ended(end);
}

namespace {

constexpr int kDelayMilliseconds = 500;

// The last line of the program's output, without the program name.
QString sentenceOf(const QByteArray& said) {
  return QString::fromStdString(plainSentence(said.trimmed().split('\n').last().toStdString()));
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
  run(captureChildArguments(captureArguments) + QStringList{QStringLiteral("--estimate")});
}

void EstimateProcess::run(const QStringList& arguments) {
  drop();
  m_arguments = arguments;
  m_delay.start();
}

void EstimateProcess::drop() {
  m_delay.stop();
  if (!m_process) return;
  m_process->disconnect(this);
  m_process->kill();
  // Kept until the system has reaped it: no zombie remains and this thread does not wait.
  m_process->setParent(nullptr);
  connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
  if (m_process->state() == QProcess::NotRunning) m_process->deleteLater();
  m_process = nullptr;
}

void EstimateProcess::launch() {
  QStringList arguments;
  try {
    arguments = programArguments(m_arguments);
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
  arguments += {QStringLiteral("--json"), QStringLiteral("--progress"), QStringLiteral("none")};
  m_process->start(m_program, arguments, QIODevice::ReadOnly);
}

void EstimateProcess::finished(int exitCode, QProcess::ExitStatus status) {
  QProcess* process = std::exchange(m_process, nullptr);
  process->deleteLater();
  const QByteArray output = process->readAllStandardOutput();
  const Json estimate = Json::parse(output.begin(), output.end(), nullptr, false);
  if (status == QProcess::NormalExit && estimate.is_structured()) {
    Q_EMIT ready(estimate);  // also with exit code 4: the estimate says what does not fit
    return;
  }
  if (status == QProcess::CrashExit) {
    Q_EMIT failed(
        tr("The estimate crashed, possibly out of memory. Try a shorter window or a smaller compute type."),
        false);
    return;
  }
  const QString said = sentenceOf(process->readAllStandardError());
  const bool refused =
      exitCode == static_cast<int>(ErrorKind::Usage) || exitCode == static_cast<int>(ErrorKind::Input);
  Q_EMIT failed(!said.isEmpty() ? said : tr("The estimate failed with exit code %1.").arg(exitCode), refused);
}

QStringList captureArguments(const CaptureRequest& request) {
  QStringList arguments;
  for (const std::string& argument : request.arguments()) arguments << QString::fromStdString(argument);
  return arguments;
}

QStringList captureChildArguments(const QStringList& arguments) {
  const QString part = QStringLiteral("--part");
  const QStringList all = QStringList{QStringLiteral("capture")} + arguments;
  return arguments.contains(part) ? all : all + QStringList{part, QStringLiteral("0/1")};
}

QString commandLineProgram() {
  const QString name = QStringLiteral("plastiscope-cli");
  const QString beside = QStandardPaths::findExecutable(name, {QCoreApplication::applicationDirPath()});
  return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

QStringList programArguments(const QStringList& texts) {
  QStringList arguments;
  for (const QString& text : texts) {
    const std::string bytes = fileOfText(text).native();
    arguments << QString::fromStdString(bytes);
    if (arguments.back().toStdString() != bytes)
      throw InputError(text.toStdString() +
                       ": the window can only capture from and to names in UTF-8. Rename it, or run the "
                       "copied command in a terminal");
  }
  return arguments;
}

}  // namespace plastiscope

#include "moc_capture_process.cpp"
