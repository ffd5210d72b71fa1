#pragma once
// Main window: menus and tool bar, tabs, docks, message bar, job bar. Displays the session and forwards user
// actions.
#include <QMainWindow>
#include <QPointer>
#include <QTimer>
#include <map>
#include <optional>
#include <set>

#include "app/desktop/session.h"
#include "widgets/export/export_dialog.h"
#include "widgets/pages/message_bar.h"

class QActionGroup;
class QComboBox;
class QTabWidget;

namespace plastiscope {

struct AddableCapture;
class BenchmarksPage;
class CommandPalette;
class ComparePage;
class DetailsPanel;
class FigureReopener;
class HeadStepper;
class HelpPanel;
class LibraryPanel;
struct MeasurementKind;
struct PointedHead;
class MissingPage;
class ModelPage;
class NotesPanel;
class PanelDock;
class TextLinks;
class PanelWindow;
class PlotView;
class ThesisPage;
class TourCard;
class WelcomePage;
struct Command;

// Layout of windows and docks, kept between starts (layout.json in the settings folder).
struct WindowLayout {
  QByteArray geometry;          // geometry of the main window
  QByteArray docks;             // Library, Details, Help, Notes
  QByteArray modelPage;         // panels of model tabs; new tabs use the layout arranged last
  QByteArray comparePage = {};  // the same for compare tabs
};

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(Session& session, QWidget* parent = nullptr);
  ~MainWindow() override;

  void openPaths(const std::vector<std::filesystem::path>& paths, const ViewSelection& selection = {});
  void openExample();
  void takeTour();  // opens the example for it
  // Opens the export dialog for a figure of the thesis' published numbers.
  void exportPublished(const FigureSpec& figure);
  // Opens a compare tab of these files; without files an empty one.
  ComparePage* openComparison(const SessionTab& start, bool inFront = true);
  void compareWithCurrent(const std::filesystem::path& file);  // adds to the compare tab, or creates one
  // Opens a benchmarks tab of these analyses, or shows the existing one.
  void openBenchmarks(const SessionTab& start = {});
  // Initial content: these files, together with the last session if it is restored.
  void start(const std::vector<std::filesystem::path>& files, const ViewSelection& selection = {});
  // Restores the last session and adds files; the last file is shown. All of them use the head of
  // `selection`.
  void restoreSession(const std::vector<std::filesystem::path>& files = {},
                      const ViewSelection& selection = {});
  // Replaces the tabs by a saved session; the tabs are kept among the earlier sessions.
  void openSession(const std::filesystem::path& file, const ViewSelection& selection = {});
  void saveSessionAs(const std::filesystem::path& file);
  // Uses `file` for a tab whose file was not found, if it is that capture or analysis.
  void locate(MissingPage& page, const std::filesystem::path& file);
  // Adds the capture to an analysis that was opened without it.
  void locateCapture(ModelPage& page, const std::filesystem::path& file);
  void setTheme(const QString& choice);           // system, light, dark; saved
  void useSettings(const AppSettings& settings);  // all but the recent files; saved
  ModelPage* currentPage() const;                 // null for other tabs
  ComparePage* currentCompare() const;            // null for other tabs
  BenchmarksPage* currentBenchmarks() const;
  ThesisPage* currentThesis() const;
  // Opens the tab with the figures of the thesis; `id`: figure to show, "" = the first.
  void openThesis(const std::string& id = {});
  PanelWindow* currentPanels() const;   // panels of the current model or compare tab, or null
  Selection* currentSelection() const;  // as above
  // True if everything is displayed: no tab loads, no view waits for data, the library is read.
  bool settled() const;
  // Opens a page for a screenshot: "heads", "inspect", "cloud" or "text" ("compare" and
  // "benchmarks" are opened with openComparison and openBenchmarks).
  void showPage(const std::string& page);

 public Q_SLOTS:
  void openDialog();
  void captureDialog(const std::filesystem::path& model = {},
                     const std::vector<std::filesystem::path>& texts = {});
  void analysisDialog();  // analyses the current capture with other settings
  void rowsDialog();      // recomputes the current tab from some of its rows
  void exportDialog();
  void addToFigurePage();  // adds the figure of the current view
  void openFigurePage();

 Q_SIGNALS:
  void openingFailed(const QString& sentence);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  enum class Menu { File, Edit, View, Theme, Capture, Analysis, Measure, Window, Help };
  // When a menu row is available: always, or depending on the current tab; or a submenu; a separator.
  enum class Offer { Always, WithStudy, WithViews, WithPicture, ForUndo, ForRedo, AsMenu, AsLine };

  // main_window_commands.cpp
  struct CommandRow;
  static const std::vector<CommandRow>& commandRows();
  void buildMenus();
  void addRow(const CommandRow& row);
  QAction* command(const char* name) const;
  QMenu& submenu(const char* name) const;
  bool offers(Offer offer) const;
  std::vector<Command> actionCommands() const;
  void stepHead(int by);
  void toggleStar();
  void togglePlasticity();
  void showPlasticity();
  void stepTab(int by);
  void writeNote();
  void filterHeads();
  void benchmarksWithCurrent();
  void fillRecentMenu();
  void fillPanelMenu();
  void fillThemeMenu();
  void fillWindowMenu();
  std::vector<std::pair<QString, QString>> shortcutsOf(Menu menu) const;  // keys and descriptions
  void showShortcuts();
  void showSettings();
  void showAbout();

  // main_window_toolbar.cpp
  void buildToolBar();
  void chooseHead(HeadName head);
  void showHead(std::optional<HeadName> head, bool marked);
  void fillMetrics();
  std::vector<Command> paletteCommands();

  // main_window_dialogs.cpp
  std::vector<std::filesystem::path> askForStudies(const QString& title);
  void buildReopener();
  void exportTables();
  void exportPage();
  // Start of a measurement from the current tab: its study and head; nullopt without them.
  std::optional<PointedHead> measurable() const;
  void measure(const MeasurementKind& kind);
  void measure(const MeasurementKind& kind, const PointedHead& start);
  void copyPicture();
  std::optional<ExportStart> exportStart();  // initial state for an export of the current tab
  void showExport(ExportStart start);

  // main_window_tabs.cpp
  void openFiles(const std::vector<std::filesystem::path>& paths, const ViewSelection& selection);
  void offerPicture(QWidget& page);  // copy, export, measure, in the context menus of its plots
  void offerPicture(PlotView& view, bool ofHeads);
  void connectPanels(PanelWindow& panels);
  void giveRoom();
  void offerColours(PlotView& view, const std::string& preference);
  void connectSession();
  void showOpening(const std::filesystem::path& path, JobHandle* handle);
  void showStudy(const std::filesystem::path& path, std::shared_ptr<const Study> study,
                 const ViewSelection& selection);
  void showFailure(const std::filesystem::path& path, const QString& sentence);
  int insertTab(int index, QWidget* page, const QIcon& icon, const std::filesystem::path& file);
  void openBehind(const std::filesystem::path& path);  // next file, of a finished job
  void offerTab(const QString& text, std::function<void()> show);
  void showModel(const LibraryEntry& entry);
  void captureEnded(const CaptureEnd& end, const CaptureRequest& draft);
  void offerUnfinished();  // captures left by an earlier run of the program
  void showWelcome();
  void closeTab(int index);
  int tabOf(const std::filesystem::path& path) const;  // -1: not open
  void currentTabChanged();
  void useLayoutOf(ModelPage* page);
  void beginTour();  // in the current tab

  // main_window_compare.cpp
  std::vector<AddableCapture> addable(const ComparePage& page) const;

  // main_window_session.cpp
  void fillSessionMenu();
  void openSessionDialog();
  void saveSessionDialog();
  void openTabs(const ResolvedSession& resolved);
  void restored(const std::filesystem::path& file);  // the file was opened or failed
  void arrangeRestored();
  SessionState state() const;
  void saveSoon();
  void saveNow();
  static WindowLayout readLayout(const std::filesystem::path& settingsFolder);

  // main_window_locate.cpp
  // Replaces the tab `index`, or appends a tab (-1).
  void showMissing(int index, const SessionTab& tab, const ResolvedSession::Missing& missing, bool gone);
  void reportRestored(const ResolvedSession& resolved);
  void locateDialog(MissingPage& page);
  void openInPlaceOf(MissingPage& page, const std::filesystem::path& file);
  void findOthersBeside(const std::filesystem::path& file);
  void offerCapture(ModelPage& page);  // for an analysis opened without it
  void locateCaptureDialog();

  // main_window.cpp
  void buildDocks();
  void buildCentre();
  void pageChanged();  // selection of the current page, or another page
  // For the current model or compare tab; null, empty or nullopt for other tabs.
  std::shared_ptr<const AnalysisFile> currentAnalysis() const;
  std::vector<HeadName> currentHeads() const;
  std::optional<HeadName> neighbourHead(int step) const;
  void focusPanel(int step);  // cycles through visible panels, from the focused one
  void refreshWelcome();
  void paintPreviews();
  void say(Message::Kind kind, const QString& text, int hideAfterMilliseconds = 0);
  void sayOf(QWidget* page, Message::Kind kind, const QString& text);  // shown while this page is current
  void sayDone(const QString& text) { say(Message::Kind::Good, text, kGoodNewsMilliseconds); }

  static constexpr int kGoodNewsMilliseconds = 8000;
  static constexpr int kWindowLayoutVersion = 1;
  // Session being restored: files that are not open yet, and pages without files.
  struct Restoring {
    SessionState saved;
    std::set<std::filesystem::path> awaited;
    std::vector<QPointer<QWidget>> pages;  // [saved.tabs]; null: tab of a file
  };

  // State while a panel is maximised: docks hidden for it, and the previous layout.
  struct GivenRoom {
    QByteArray layout;
    QList<QDockWidget*> docks;
    QList<int> widths;
  };

  Session& m_session;
  WindowLayout m_layout;
  std::optional<GivenRoom> m_givenRoom;
  QTabWidget* m_tabs;
  MessageBar* m_message;
  QPointer<WelcomePage> m_welcome;
  QPointer<TourCard> m_tour;
  QPointer<ModelPage> m_tourPage;
  std::filesystem::path m_tourOf;  // the tour starts once this file is open; empty: no tour
  PanelDock *m_libraryDock, *m_detailsDock, *m_helpDock, *m_notesDock;
  LibraryPanel* m_library;
  DetailsPanel* m_details;
  HelpPanel* m_help;
  NotesPanel* m_notes;
  CommandPalette* m_palette = nullptr;
  HeadStepper* m_stepper = nullptr;
  QComboBox* m_metric = nullptr;
  struct BuiltCommand {
    QAction* action;
    Menu menu;
    Offer offer;
  };
  std::vector<BuiltCommand> m_commands;
  std::map<Menu, QMenu*> m_menus;
  QActionGroup* m_themes = nullptr;
  QTimer m_saveDelay;
  std::optional<Restoring> m_restoring;
  std::map<std::filesystem::path, QPointer<QWidget>> m_inPlaceOf;  // file being opened -> tab to replace
  std::set<std::filesystem::path> m_behind;               // files whose tabs are opened without showing them
  std::map<std::filesystem::path, SessionTab> m_pending;  // tabs kept even if their file fails
  std::map<std::filesystem::path, StudyId> m_ids;         // ids of files that were shown or restored
  std::map<std::filesystem::path, JsonValue> m_unknown;   // fields of their tabs written by other versions
  JsonValue m_unknownOfSession = JsonValue::object();
  std::vector<JsonValue> m_unknownTabs;
  TextLinks* m_textLinks;
  JobRunner m_lastRunRunner, m_previewRunner, m_copyRunner, m_sessionRunner, m_locateRunner;
  std::unique_ptr<FigureReopener> m_reopener;
  struct FigurePanel {
    std::shared_ptr<const Study> study;
    QString file;
    FigureSpec spec;
  };
  std::vector<FigurePanel> m_figurePage;  // views added to it, in order
  QMetaObject::Connection m_pageConnection;
  std::shared_ptr<const AnalysisFile> m_metricsOf;  // analysis whose metrics are in the box
};

}  // namespace plastiscope
