#pragma once
// Drift: distance between the vectors of two captures of the same rows, per head, as a grid and a table.
// Measured in a worker only while the panel is visible, since all vectors of both are read.
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
  // Choices for the title bar: queries or keys, and the number that colours the grid.
  QComboBox* kind() const { return m_kind; }
  QComboBox* measure() const { return m_measure; }
  bool settled() const { return !m_runner.running(); }
  // Set by the dock: Qt counts a panel behind another tab as visible.
  void setSeen(bool seen);

 Q_SIGNALS:
  void noteChanged(const QString& note);

 private:
  void setViews(const CompareViews& views);
  void measureNow();
  void showGrid();
  void say(const QString& sentence);

  CompareModel& m_model;
  JobList& m_jobs;
  JobRunner m_runner;
  std::unique_ptr<JobHandle> m_handle;
  std::shared_ptr<const Study> m_first, m_other;  // measured or to be measured
  bool m_done = false, m_seen = false;
  DriftModel m_drift;
  QComboBox *m_kind, *m_measure;
  HeadGridView* m_grid;
  QTableView* m_table;
  ElidedLabel* m_perplexity;  // effect of the drift on the predictions
};

}  // namespace plastiscope
