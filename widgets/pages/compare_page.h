#pragma once
// A compare tab: two to six captures, the same views of all of them as docks.
#include <QMainWindow>
#include <QWidget>
#include <filesystem>

#include "widgets/compare/compare_model.h"

class QLabel;
class QStackedWidget;

namespace plastiscope {

class PanelDock;

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

  // The figure of the view that was last under the mouse or has the keyboard, and whether it is one of the
  // chosen metric.
  QString currentFigure() const { return m_figure; }
  bool figureShowsMetric() const { return m_figureShowsMetric; }
  QPixmap currentPicture() const;
  QList<QAction*> panelActions() const;
  void resetLayout();
  QByteArray layoutState() const;
  void restoreLayout(const QByteArray& state);

 Q_SIGNALS:
  void titleChanged(const QString& title);
  void addRequested();
  void complained(const QString& sentence);
  void changed();  // files or choices: worth saving
  void layoutChanged();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void buildDocks(Workers& workers, JobList& jobs);
  PanelDock* addDock(const QString& id, const QString& title, QWidget* content, const QString& figure,
                     bool showsMetric);
  void arrange();
  void sizeDocks();
  void follow();  // inputs came or went
  void take(const CompareViews& views);

  struct Private;
  Selection m_selection;
  CompareModel m_model;
  QString m_figure;
  bool m_figureShowsMetric = false;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
