#pragma once
#include <QList>
#include <QObject>
#include <QString>

#include "core/base/progress.h"

namespace plastiscope {

// One long operation as shown in the window: title, progress, result, cancellation. Lives in the GUI thread;
// used for in-process work and capture processes.
class JobHandle : public QObject {
  Q_OBJECT
 public:
  enum class State { Running, Stopping, Done, Failed, Stopped };

  explicit JobHandle(QString title, QObject* parent = nullptr) : QObject(parent), m_title(std::move(title)) {}

  const QString& title() const { return m_title; }
  State state() const { return m_state; }
  bool active() const { return m_state == State::Running || m_state == State::Stopping; }
  const ProgressState& progress() const { return m_progress; }
  const QString& sentence() const { return m_sentence; }  // last warning, or the result

  void report(const ProgressState& progress);
  void warn(const QString& sentence);
  // Number of finished units, where progress is only a share of the work; -1: progress counts them.
  void setFinished(std::int64_t units);
  std::int64_t finished() const { return m_finished; }
  void end(State state, const QString& sentence = {});  // only the first call counts
  void cancel();
  // Whether partial results can be opened already.
  void setViewable(bool viewable);
  bool viewable() const { return m_viewable; }
  void view();

 Q_SIGNALS:
  void changed();
  void cancelRequested();
  void viewRequested();
  void ended();

 private:
  QString m_title, m_sentence;
  State m_state = State::Running;
  ProgressState m_progress;
  std::int64_t m_finished = -1;
  bool m_viewable = false;
};

// "212 / 500 texts · 42 %", "813 tokens/s", "7 min left"; empty when unknown. `finished`: as in a handle.
QString doneText(const ProgressState& progress, std::int64_t finished = -1);
QString rateText(const ProgressState& progress);
QString timeLeftText(double seconds);
QString durationText(double seconds);  // "45 s", "7 min 5 s", "2 h 10 min"
QString stageText(const std::string& stage);

// Running jobs, oldest first. Handles are removed when they end or are destroyed; the list does not own them.
class JobList : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  void add(JobHandle* handle);
  const QList<JobHandle*>& active() const { return m_active; }

 Q_SIGNALS:
  void changed();  // a job was added, removed, or has progressed

 private:
  void remove(QObject* handle);
  QList<JobHandle*> m_active;
};

}  // namespace plastiscope
