#pragma once
// Keeps the welcome page, while it is open, up to date: example, models, recent files, the last session.
#include <QPointer>

#include "app/desktop/session.h"
#include "app/desktop/window_tabs.h"

namespace plastiscope {

class WelcomePage;

class WelcomeTab : public QObject {
  Q_OBJECT
 public:
  WelcomeTab(WindowTabs& tabs, Session& session);

  void show();  // opens it if needed
  void refresh();
  void paintPreviews();  // pictures of the example, in the colours of the theme
  bool busy() const { return m_lastRun.running() || m_painting.running(); }

 Q_SIGNALS:
  void pageMade(plastiscope::WelcomePage* page);

 private:
  void askForModelFolder();

  WindowTabs& m_tabs;
  Session& m_session;
  QPointer<WelcomePage> m_page;
  JobRunner m_lastRun, m_painting;
};

}  // namespace plastiscope
