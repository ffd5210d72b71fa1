#pragma once
// How far the vectors of two captures of the same rows lie apart, head by head: a grid and a table. Measured
// in a worker, and only while the panel is seen: all vectors of both are read.
#include <QWidget>

#include "core/compare/drift.h"
#include "widgets/compare/compare_model.h"
#include "widgets/state/list_table.h"

class QComboBox;
class QTableView;

namespace plastiscope {

class ElidedLabel;
class HeadGridView;

// Drift of every head as a table.
class DriftModel : public ListTable<HeadDrift> {
 public:
  enum { HeadColumn, KindColumn, RowsColumn, FirstMeasure };
  explicit DriftModel(QObject* parent = nullptr);
};

class DriftPanel : public QWidget {
  Q_OBJECT
 public:
  DriftPanel(CompareModel& model, Workers& workers, JobList& jobs, QWidget* parent = nullptr);
  // For the title bar: queries or keys, and which number colours the grid.
  QComboBox* kind() const { return m_kind; }
  QComboBox* measure() const { return m_measure; }
  bool settled() const { return !m_runner.running(); }
  // A panel behind a tab counts as visible for Qt: its dock knows better.
  void setSeen(bool seen);

 Q_SIGNALS:
  void noteChanged(const QString& note);

 private:
  void take(const CompareViews& views);
  void measureNow();
  void showGrid();
  void say(const QString& sentence);

  CompareModel& m_model;
  JobList& m_jobs;
  JobRunner m_runner;
  std::unique_ptr<JobHandle> m_handle;
  std::shared_ptr<const Study> m_first, m_other;  // measured, or to be
  bool m_done = false, m_seen = false;
  DriftModel m_drift;
  QComboBox *m_kind, *m_measure;
  HeadGridView* m_grid;
  QTableView* m_table;
  ElidedLabel* m_perplexity;  // what the drift does to the predictions
};

}  // namespace plastiscope
