#pragma once
// The docks of the window, and the layout of docks and panels that is kept between starts (layout.json in the
// settings folder).
#include <QMainWindow>
#include <optional>

#include "app/desktop/session.h"

namespace plastiscope {

class DetailsPanel;
class HelpPanel;
class LibraryPanel;
class NotesPanel;
class PanelDock;
class PanelWindow;

class WindowDocks : public QObject {
 public:
  // The window has its size and its central widget.
  WindowDocks(QMainWindow& window, Session& session);

  QList<PanelDock*> all() const { return {m_libraryDock, m_detailsDock, m_helpDock, m_notesDock}; }
  LibraryPanel& library() const { return *m_library; }
  DetailsPanel& details() const { return *m_details; }
  HelpPanel& help() const { return *m_help; }
  NotesPanel& notes() const { return *m_notes; }
  PanelDock& helpDock() const { return *m_helpDock; }
  PanelDock& notesDock() const { return *m_notesDock; }
  void setCurrentPage(QWidget* page);  // whose notes and library entry are shown

  void restore();                      // the saved layout
  void save(const QWidget* page);      // with the panels of the current page
  void remember(const QWidget* page);  // new tabs use the layout of panels arranged last
  void arrange(PanelWindow& panels);   // as remembered for its kind of tab
  void giveRoom(bool wanted);          // hides the docks while a panel is maximised, then restores them

 private:
  // State while a panel is maximised: docks hidden for it, and the previous layout.
  struct GivenRoom {
    QByteArray layout;
    QList<QDockWidget*> docks;
    QList<int> widths;
  };

  QMainWindow& m_window;
  Session& m_session;
  PanelDock *m_libraryDock, *m_detailsDock, *m_helpDock, *m_notesDock;
  LibraryPanel* m_library;
  DetailsPanel* m_details;
  HelpPanel* m_help;
  NotesPanel* m_notes;
  QByteArray m_modelPage, m_comparePage;  // panels of model and of compare tabs
  std::optional<GivenRoom> m_givenRoom;
};

}  // namespace plastiscope
