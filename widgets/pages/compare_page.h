#pragma once
// A compare tab: two to six captures, the same views of all of them as docks.
#include <QWidget>
#include <filesystem>
#include <map>

#include "widgets/compare/compare_model.h"
#include "widgets/pages/compare_docks.h"

class QStackedWidget;

namespace plastiscope {

class CompareMaps;
class DriftPanel;
class DropHint;
class FigureView;
class MessageBar;
class NumbersTable;

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
  bool settled() const;  // nothing is being opened, compared or measured

  // The figure of the view that was last under the mouse or has the keyboard, and whether it is one of the
  // chosen metric.
  QString currentFigure() const { return m_docks->currentFigure().name; }
  bool figureShowsMetric() const { return m_docks->currentFigure().showsMetric; }
  QPixmap currentPicture() const { return m_docks->currentPicture(); }
  void maximiseCurrent() { m_docks->maximiseCurrent(); }
  QList<QAction*> panelActions() const { return m_docks->panelActions(); }
  void resetLayout() { m_docks->resetLayout(); }
  QByteArray layoutState() const { return m_docks->layoutState(); }
  void restoreLayout(const QByteArray& state) { m_docks->restoreLayout(state); }

 Q_SIGNALS:
  void titleChanged(const QString& title);
  void addRequested();
  void complained(const QString& sentence);
  void changed();  // files or choices: worth saving
  void layoutChanged();
  void exportRequested();               // of currentFigure()
  void viewEntered(const QString& id);  // a dock or the bar, by the pointer or the keyboard

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void buildDocks(Workers& workers, JobList& jobs);
  void addPictures();
  void follow();  // inputs came or went
  void take(const CompareViews& views);
  void showPictures(const CompareViews& views);
  void showWarnings(const CompareViews& views);
  void showPosition();

  Selection m_selection;
  CompareModel m_model;
  EnteredPanel m_entered;
  CompareDocks* m_docks;  // the page owns it: see the destructor
  QStackedWidget* m_stack;
  DropHint* m_hint;
  MessageBar* m_warnings;
  QString m_warned;  // the text shown last: a dismissed warning does not come back
  std::map<QString, FigureView*> m_pictures;
  DriftPanel* m_drift = nullptr;
  NumbersTable* m_numbers = nullptr;
};

}  // namespace plastiscope
