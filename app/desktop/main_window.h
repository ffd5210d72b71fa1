#pragma once
// Main window: composes tabs, docks, tool bar, menus, message bar and job bar from parts with one duty each,
// and connects them with the session.
#include <QMainWindow>
#include <QPointer>
#include <QTimer>
#include <map>

#include "app/desktop/figure_exports.h"
#include "app/desktop/session_tabs.h"
#include "app/desktop/study_dialogs.h"
#include "app/desktop/welcome_tab.h"
#include "app/desktop/window_docks.h"

class QActionGroup;

namespace plastiscope {

struct AddableCapture;
class BenchmarksPage;
class ComparePage;
class HeadBar;
class PlotView;
class RunsPage;
class TextLinks;
class ThesisPage;
class TourCard;
struct Command;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(Session& session, QWidget* parent = nullptr);
  ~MainWindow() override;

  // Opens files of any kind, also exported figures.
  void openPaths(const std::vector<std::filesystem::path>& paths, const ViewSelection& selection = {});
  void openExample();
  void takeTour();  // opens the example for it
  // Opens a compare tab of these files; without files an empty one.
  ComparePage* openComparison(const SessionTab& start, bool inFront = true);
  void compareWithCurrent(const std::filesystem::path& file);  // adds to the compare tab, or creates one
  void compareAll(const std::vector<std::filesystem::path>& files);  // in a new tab
  // Opens a benchmarks tab of these analyses, or shows the existing one.
  void openBenchmarks(const SessionTab& start = {});
  // Opens the tab of runs, or shows the existing one.
  void openRuns(const RunsChoices& start = {});
  // Opens the tab with the figures of the thesis; `id`: figure to show, "" = the first.
  void openThesis(const std::string& id = {});
  // Opens a page for a screenshot: "heads", "inspect", "cloud" or "text" ("compare" and
  // "benchmarks" are opened with openComparison and openBenchmarks).
  void showPage(const std::string& page);
  void setTheme(const QString& choice);           // system, light, dark; saved
  void useSettings(const AppSettings& settings);  // all but the recent files; saved
  // True if everything is displayed: no tab loads, no view waits for data, the library is read.
  bool settled() const;

  WindowTabs& tabs() { return *m_tabs; }
  const WindowTabs& tabs() const { return *m_tabs; }
  FileTabs& files() { return m_files; }
  SessionTabs& sessions() { return m_sessions; }
  FigureExports& exports() { return m_exports; }
  StudyDialogs& dialogs() { return m_dialogs; }
  ModelPage* currentPage() const;  // null for other tabs, as the next ones
  ComparePage* currentCompare() const;
  BenchmarksPage* currentBenchmarks() const;
  ThesisPage* currentThesis() const;

 Q_SIGNALS:
  void openingFailed(const QString& sentence);
  void settingsChanged();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  enum class Menu { File, Edit, View, Theme, Capture, Analysis, Measure, Window, Help };
  // When a menu row is available: always, or depending on the current tab; or a submenu; a separator.
  enum class Offer { Always, WithStudy, WithViews, WithPicture, ForUndo, ForRedo, AsMenu, AsLine };

  // main_window_commands.cpp: menus and shortcuts
  struct CommandRow;
  static const std::vector<CommandRow>& commandRows();
  void buildMenus();
  void addRow(const CommandRow& row);
  QAction* command(const char* name) const;
  QMenu& submenu(const char* name) const;
  bool offers(Offer offer) const;
  static QString needOf(Offer offer);
  std::vector<Command> actionCommands() const;
  std::vector<Command> paletteCommands();
  void togglePlasticity();
  void showPlasticity();
  void writeNote();
  void benchmarksWithCurrent();
  void fillRecentMenu();
  void fillPanelMenu();
  void fillWindowMenu();
  std::vector<std::pair<QString, QString>> shortcutsOf(Menu menu) const;  // keys and descriptions
  void showShortcuts();
  void showSettings();

  // main_window_pages.cpp: pages of the tabs, connected with the window
  void connectPanels(PanelWindow& panels);
  void connectModel(ModelPage* page);
  void connectWelcome(WelcomePage* page);
  void connectRuns(RunsPage* page);
  std::vector<AddableCapture> addable(const ComparePage& page) const;
  void offerPicture(QWidget& page);  // copy, export, measure, in the context menus of its plots
  void offerPicture(PlotView& view, bool ofHeads);
  void offerColours(PlotView& view, const std::string& preference);
  void showMeasured(const Measurement& done, const QString& effect);
  void showModel(const LibraryEntry& entry);

  // main_window.cpp
  void buildCentre();
  void connectParts();
  void connectSession();
  void openDialog();
  void tabClosing(QWidget* page);
  void currentTabChanged();
  void pageChanged();         // selection of the current page, or another page
  void beginTour();           // in the current tab
  void focusPanel(int step);  // cycles through visible panels, from the focused one
  void save();

  Session& m_session;
  WindowTabs* m_tabs;
  MessageBar* m_message;
  TextLinks* m_textLinks;
  FileTabs m_files;
  SessionTabs m_sessions;
  WelcomeTab m_welcome;
  StudyDialogs m_dialogs;
  FigureReopener m_reopener;
  FigureExports m_exports;
  std::unique_ptr<WindowDocks> m_docks;
  HeadBar* m_bar = nullptr;
  QTimer m_saveDelay;
  QMetaObject::Connection m_pageConnection;
  QPointer<TourCard> m_tour;
  QPointer<ModelPage> m_tourPage;
  std::filesystem::path m_tourOf;  // the tour starts once this file is open; empty: no tour

  struct BuiltCommand {
    QAction* action;
    Menu menu;
    Offer offer;
  };
  std::vector<BuiltCommand> m_commands;
  std::map<Menu, QMenu*> m_menus;
  QActionGroup* m_themes = nullptr;
};

}  // namespace plastiscope
