#pragma once
// A model tab: one study, its selection and its views as docks.
#include <QMainWindow>
#include <filesystem>
#include <map>

#include "widgets/models/study_model.h"
#include "widgets/pages/dock_maximiser.h"
#include "widgets/pages/entered_panel.h"
#include "widgets/pages/view_spec.h"
#include "widgets/state/session_state.h"
#include "widgets/state/study_notes.h"

namespace plastiscope {

class DetailsTabs;
class PanelDock;

class ModelPage : public QMainWindow {
  Q_OBJECT
 public:
  // `start` is selected where the study has it; `notes`: where its notes are.
  ModelPage(std::shared_ptr<const Study> study, std::filesystem::path file, const ViewSelection& start,
            const ViewCatalogue& views, const PageServices& services, const NotesOrigin& notes = {},
            QWidget* parent = nullptr);
  ~ModelPage() override;

  const std::filesystem::path& file() const { return m_file; }
  const Study& study() const { return *m_model.study(); }
  StudyModel& model() { return m_model; }
  Selection& selection() { return m_selection; }
  NotesDocument& notes() { return m_notes; }
  SessionTab sessionTab() const { return {m_file, m_selection.value()}; }

  // The figure of the view that has the keyboard, or was last under the mouse; "head-grid" at first.
  QString currentFigure() const { return m_figure; }
  // Show and hide actions of the docks, in catalogue order.
  QList<QAction*> panelActions() const;
  void showView(const QString& id);  // raises a dock or a page of the details panel
  void showOnlyHeadViews();          // hides the grid and the table: room for the chosen head
  // The panel under the mouse (or with the keyboard) takes the whole page, or gives it back.
  void maximiseCurrent() { m_maximiser.toggle(m_entered.panel()); }
  QPixmap currentPicture() const;  // of the view of currentFigure()

  QByteArray layoutState() const;
  void restoreLayout(const QByteArray& state);  // what is no layout changes nothing
  void resetLayout();
  void focusGrid();  // arrow keys walk through the heads from here on

 Q_SIGNALS:
  void layoutChanged();
  void exportRequested();               // of currentFigure()
  void viewEntered(const QString& id);  // by the pointer or the keyboard

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QString figureOf(const QString& id) const;  // of a dock or a page of the details; "" = none
  void enter(const QWidget& dock);
  PanelDock* firstOf(ViewArea area) const;  // null: no view stands there
  PanelDock* addPanel(const QString& id, const QString& title, ViewPanel* panel);
  void arrange();
  void sizeDocks();
  void layOut();  // once, when the page has its size
  bool takeLayout(const QByteArray& packed);
  void follow(const ViewSelection& now, const ViewSelection& before);

  std::filesystem::path m_file;
  NotesDocument m_notes;
  Selection m_selection;
  StudyModel m_model;
  QString m_figure;
  EnteredPanel m_entered;
  DockMaximiser m_maximiser;
  std::map<ViewArea, QList<PanelDock*>> m_areas;
  QList<PanelDock*> m_docks;
  DetailsTabs* m_details = nullptr;
  std::map<QString, QString> m_figureOf;  // view -> figure
  QByteArray m_wanted;                    // the layout to take once the page has its size
  bool m_laidOut = false;
};

}  // namespace plastiscope
