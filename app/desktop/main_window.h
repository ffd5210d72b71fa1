#pragma once
// The window: menus and tool bar, tabs, docks, message bar, job bar. It shows the session and passes on what
// a person does.
#include <QMainWindow>
#include <QPointer>
#include <QTimer>

#include "app/desktop/layout_store.h"
#include "app/desktop/session.h"
#include "widgets/pages/command_palette.h"
#include "widgets/pages/message_bar.h"

class QActionGroup;
class QComboBox;
class QTabWidget;

namespace plastiscope {

class CardPanel;
class HeadStepper;
class HelpPanel;
class LibraryPanel;
class ModelPage;
class PanelDock;
class WelcomePage;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(Session& session, QWidget* parent = nullptr);
  ~MainWindow() override;

  void openPaths(const std::vector<std::filesystem::path>& paths, const ViewSelection& selection = {});
  void openExample();
  void restoreSession();
  void setTheme(const QString& choice);  // system, light, dark; remembered
  ModelPage* currentPage() const;        // null on other tabs
  // Everything asked for is on the screen: no tab loads, no view waits for data, the library is read.
  bool settled() const;
  // Asked from screenshots: the page of the contract, "heads", "inspect" or "cloud".
  void showPage(const std::string& page);

 public Q_SLOTS:
  void openDialog();
  void captureDialog(const std::filesystem::path& model = {},
                     const std::vector<std::filesystem::path>& texts = {});
  void exportDialog();

 Q_SIGNALS:
  void openingFailed(const QString& sentence);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  // main_window_menus.cpp
  void buildMenus();
  void buildToolBar();
  QAction* addCommand(QMenu* menu, const QString& text, const QString& icon, const QKeySequence& key,
                      std::function<void()> run, bool needsPage = false);
  void fillRecentMenu(QMenu* menu);
  void fillWindowMenu(QMenu* menu);
  void fillPanelMenu(QMenu* menu);
  std::vector<Command> paletteCommands();
  void showShortcuts();
  void showAbout();
  void exportTables();
  void copyPicture();

  // main_window_tabs.cpp
  void connectSession();
  void showOpening(const std::filesystem::path& path, JobTicket* ticket);
  void showStudy(const std::filesystem::path& path, std::shared_ptr<const Study> study,
                 const ViewSelection& selection);
  void showFailure(const std::filesystem::path& path, const QString& sentence);
  void showModel(const LibraryEntry& entry);
  void captureEnded(const CaptureEnd& end, const CaptureDraft& draft);
  void showWelcome();
  void closeTab(int index);
  int tabOf(const std::filesystem::path& path) const;  // -1: not open
  void currentTabChanged();
  void useLayoutOf(ModelPage* page);

  // main_window.cpp
  void buildDocks();
  void buildCentre();
  void pageChanged();  // selection of the current page, or another page
  void fillMetrics();
  void refreshWelcome();
  void paintPreviews();
  void say(Message::Kind kind, const QString& text, int hideAfterMilliseconds = 0);
  SessionState state() const;
  void saveSoon();
  void saveNow();

  Session& m_session;
  LayoutStore m_layouts;
  WindowLayout m_layout;
  QTabWidget* m_tabs;
  MessageBar* m_message;
  QPointer<WelcomePage> m_welcome;
  PanelDock *m_libraryDock, *m_cardDock, *m_helpDock;
  LibraryPanel* m_library;
  CardPanel* m_card;
  HelpPanel* m_help;
  CommandPalette* m_palette = nullptr;
  HeadStepper* m_stepper = nullptr;
  QComboBox* m_metric = nullptr;
  QAction *m_undo = nullptr, *m_redo = nullptr;
  QList<QAction*> m_actions, m_pageActions;
  QActionGroup* m_themes = nullptr;
  QTimer m_saveDelay;
  JobRelay m_previewRelay;
  QMetaObject::Connection m_pageConnection;
  std::string m_metricsOf;  // file whose metrics fill the box
};

}  // namespace plastiscope
