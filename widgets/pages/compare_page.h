#pragma once
// A compare tab: captures beside each other as a matrix, or over each other in charts:, the same views of all
// of them as panels.
#include <QWidget>
#include <filesystem>
#include <map>

#include "widgets/compare/compare_model.h"
#include "widgets/pages/panel_window.h"
#include "widgets/state/turns.h"

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
  // What export draws for what is in front; "" = nothing.
  QString currentFigure() const;
  bool figureShowsMetric() const;
  bool settled() const;  // nothing is being opened, compared or measured

  PanelWindow& panels() { return *m_panels; }
  const PanelWindow& panels() const { return *m_panels; }

 Q_SIGNALS:
  void titleChanged(const QString& title);
  void addRequested(QWidget* button);  // below it
  void complained(const QString& sentence);
  void changed();                              // files or choices: worth saving
  void viewMade(plastiscope::PlotView* view);  // of a column that came

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  QWidget* makePanel(const QString& id, Workers& workers, JobList& jobs);
  void addPanels(Workers& workers, JobList& jobs);
  void follow();  // inputs came or went
  void take(const CompareViews& views);
  void showNotes(const CompareViews& views);  // in the title bars of the charts
  bool showNextPicture();                     // whether more are left
  QWidget* content() const;                   // matrix or charts
  void giveHeight();                          // to the charts
  void showWarnings(const CompareViews& views);
  void showPosition();

  Selection m_selection;
  CompareModel m_model;
  PanelWindow* m_panels;  // the page owns it: see the destructor
  QScrollArea* m_charts;  // around them: many captures need more height than a low screen has
  QStackedWidget* m_stack;
  MatrixView* m_matrix;
  DropHint* m_hint;
  MessageBar* m_warnings;
  QString m_profilesNote;  // what stands beside their title while no position is selected
  QString m_warned;        // the text shown last: a dismissed warning does not come back
  std::map<QString, FigureView*> m_pictures;
  DriftPanel* m_drift = nullptr;
  NumbersTable* m_numbers = nullptr;
  QList<CompareColumns*> m_columns;
  std::vector<const ComparePanel*> m_waiting;  // whose pictures are to be shown
  Turns m_turns;
};

}  // namespace plastiscope
