#pragma once
// Compare tab: captures as columns of a matrix, or overlaid in charts, with the same views as panels.
#include <QWidget>
#include <filesystem>
#include <map>

#include "widgets/compare/compare_model.h"
#include "widgets/pages/panel_window.h"
#include "widgets/state/sliced_work.h"

class QScrollArea;
class QStackedWidget;

namespace plastiscope {

class CompareColumns;
class DriftPanel;
class DropHint;
class FigureView;
class MatrixView;
class MessageBar;
class NumbersTable;
class PlotView;
struct ComparePanel;

class ComparePage : public QWidget {
  Q_OBJECT
 public:
  // `workers` and `jobs` must outlive the page.
  ComparePage(const SessionTab& start, Workers& workers, JobList& jobs, QWidget* parent = nullptr);
  ~ComparePage() override;

  CompareModel& model() { return m_model; }
  const CompareModel& model() const { return m_model; }
  Selection& selection() { return m_selection; }
  SessionTab sessionTab() const;
  QString title() const;  // "Compare: A, B"
  void add(const std::vector<std::filesystem::path>& files);
  // Figure that export draws for the current view; "" = none.
  QString currentFigure() const;
  bool figureShowsMetric() const;
  bool settled() const;  // no file is being opened, compared or measured

  PanelWindow& panels() { return *m_panels; }
  const PanelWindow& panels() const { return *m_panels; }

 Q_SIGNALS:
  void titleChanged(const QString& title);
  void addRequested(QWidget* button);  // the menu opens below the button
  void complained(const QString& sentence);
  void changed();                              // files or options to save have changed
  void viewMade(plastiscope::PlotView* view);  // for a new column

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  QWidget* makePanel(const QString& id, Workers& workers, JobList& jobs);
  void addPanels(Workers& workers, JobList& jobs);
  void inputsChanged();  // after inputs were added or removed
  void showViews(const CompareViews& views);
  void showNotes(const CompareViews& views);  // in the title bars of the charts
  bool showNextPicture();                     // returns true if more are left
  QWidget* content() const;                   // matrix or charts
  void giveHeight();                          // gives the charts their height
  void showWarnings(const CompareViews& views);
  void showPosition();

  Selection m_selection;
  CompareModel m_model;
  PanelWindow* m_panels;  // the page owns it: see the destructor
  QScrollArea* m_charts;  // for many captures on low screens
  QStackedWidget* m_stack;
  MatrixView* m_matrix;
  DropHint* m_hint;
  MessageBar* m_warnings;
  QString m_profilesNote;  // note while no position is selected
  QString m_warned;        // last text: a dismissed warning is not repeated
  std::map<QString, FigureView*> m_pictures;
  DriftPanel* m_drift = nullptr;
  NumbersTable* m_numbers = nullptr;
  QList<CompareColumns*> m_columns;
  std::vector<const ComparePanel*> m_waiting;  // panels whose plots are to be shown
  SlicedWork m_slices;
};

}  // namespace plastiscope
