#include "widgets/jobs/job_handle.h"

#include <QCoreApplication>
#include <QHash>
#include <cmath>
#include <utility>

#include "widgets/state/file_text.h"

namespace plastiscope {

namespace {

QString wholeText(double count) {
  return groupedText(std::llround(count));
}

using Names = QHash<QString, const char*>;

QString translated(const Names& names, const std::string& word) {
  const QString name = QString::fromStdString(word);
  return names.contains(name) ? QCoreApplication::translate("JobHandle", names[name]) : name;
}

// Display names of units: "example" -> "texts".
QString unitText(const std::string& unit) {
  static const Names kNames = {
      {"example", QT_TRANSLATE_NOOP("JobHandle", "texts")},
      {"head", QT_TRANSLATE_NOOP("JobHandle", "heads")},
      {"query and key head", QT_TRANSLATE_NOOP("JobHandle", "query and key heads")},
      {"file", QT_TRANSLATE_NOOP("JobHandle", "files")},
  };
  return translated(kNames, unit);
}

}  // namespace

void JobHandle::report(const ProgressState& progress) {
  if (!active()) return;
  m_progress = progress;
  Q_EMIT changed();
}

void JobHandle::warn(const QString& sentence) {
  if (!active()) return;
  m_sentence = sentence;
  Q_EMIT changed();
}

void JobHandle::setFinished(std::int64_t units) {
  if (std::exchange(m_finished, units) != units) Q_EMIT changed();
}

void JobHandle::end(State state, const QString& sentence) {
  if (!active()) return;
  m_state = state;
  m_sentence = sentence;
  Q_EMIT changed();
  Q_EMIT ended();
}

void JobHandle::cancel() {
  if (m_state != State::Running) return;
  m_state = State::Stopping;
  Q_EMIT changed();
  Q_EMIT cancelRequested();
}

void JobHandle::setViewable(bool viewable) {
  if (std::exchange(m_viewable, viewable) != viewable) Q_EMIT changed();
}

void JobHandle::view() {
  if (m_viewable && active()) Q_EMIT viewRequested();
}

QString doneText(const ProgressState& progress, std::int64_t finished) {
  if (progress.total <= 0) return {};
  const double done = finished < 0 ? progress.done : finished;
  return QStringLiteral("%1 / %2 %3 · %4 %")
      .arg(wholeText(done), wholeText(progress.total), unitText(progress.unit),
           wholeText(std::floor(100 * progress.done / progress.total)));
}

QString rateText(const ProgressState& progress) {
  if (progress.tokensPerSecond < 0) return {};
  return QObject::tr("%1 tokens/s").arg(wholeText(progress.tokensPerSecond));
}

QString durationText(double seconds) {
  const qlonglong whole = std::llround(std::max(0.0, seconds));
  if (whole < 60) return QObject::tr("%1 s").arg(whole);
  if (whole < 3600) return QObject::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
  return QObject::tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString timeLeftText(double seconds) {
  return seconds < 0 ? QString() : QObject::tr("%1 left").arg(durationText(seconds));
}

QString stageText(const std::string& stage) {
  static const Names kNames = {
      {"capture", QT_TRANSLATE_NOOP("JobHandle", "Capturing")},
      {"seal", QT_TRANSLATE_NOOP("JobHandle", "Writing the file")},
      {"analyze", QT_TRANSLATE_NOOP("JobHandle", "Analysing")},
      {"probe", QT_TRANSLATE_NOOP("JobHandle", "Measuring")},
      {"tokenize", QT_TRANSLATE_NOOP("JobHandle", "Tokenising")},
      {"read", QT_TRANSLATE_NOOP("JobHandle", "Reading")},
      {"drift", QT_TRANSLATE_NOOP("JobHandle", "Comparing rows")},
  };
  return translated(kNames, stage);
}

void JobList::add(JobHandle* handle) {
  if (!handle->active() || m_active.contains(handle)) return;
  m_active.append(handle);
  connect(handle, &JobHandle::changed, this, &JobList::changed);
  connect(handle, &JobHandle::ended, this, [this, handle] { remove(handle); });
  connect(handle, &QObject::destroyed, this, &JobList::remove);
  Q_EMIT changed();
}

void JobList::remove(QObject* handle) {
  // Also called from the destructor of QObject: compare addresses only.
  const auto before = m_active.size();
  m_active.removeIf([handle](JobHandle* each) { return static_cast<QObject*>(each) == handle; });
  if (m_active.size() != before) Q_EMIT changed();
}

}  // namespace plastiscope

#include "moc_job_handle.cpp"
