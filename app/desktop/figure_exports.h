#pragma once
// Exports of what the current tab shows: one figure, a page of several views, the clipboard.
#include <QPointer>

#include "app/desktop/figure_reopener.h"
#include "app/desktop/session.h"
#include "app/desktop/window_tabs.h"
#include "widgets/export/export_dialog.h"
#include "widgets/export/page_composer.h"
#include "widgets/pages/message_bar.h"

namespace plastiscope {

class FigureExports : public QObject {
 public:
  // `reopened`: has the settings of figures that were opened again.
  FigureExports(WindowTabs& tabs, FigureReopener& reopened, Session& session, MessageBar& messages);

  std::optional<ExportStart> current() const;  // nullopt: the tab has no figure
  void exportCurrent();
  void addToPage();                                // adds the figure of the current view to the figure page
  void dragCurrent();                              // drags it, for the page
  void openPage();                                 // in the composer
  void exportPublished(const FigureSpec& figure);  // of the thesis' published numbers
  // Copies the figure of the view as image, vectors and numbers; a view without a figure as on the screen.
  void copyPicture();
  void copyPython();  // code that draws that figure
  bool copying() const { return m_copying.running(); }

 private:
  void showDialog(ExportStart start);
  std::vector<PageOffer> offers() const;

  WindowTabs& m_tabs;
  FigureReopener& m_reopened;
  UserState& m_state;
  Workers& m_workers;
  MessageBar& m_messages;
  JobRunner m_copying;
  PagePlan m_page;
  QPointer<PageComposer> m_composer;
};

}  // namespace plastiscope
