// List of all commands, the source of menus, shortcuts, tool bar, context menus, palette and the sheet of
// shortcuts.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QLineEdit>
#include <QMenuBar>
#include <algorithm>
#include <iterator>

#include "app/desktop/head_bar.h"
#include "app/desktop/help_dialogs.h"
#include "app/desktop/main_window.h"
#include "app/desktop/measure_dialog.h"
#include "app/desktop/palette_commands.h"
#include "app/desktop/thesis_page.h"
#include "widgets/export/thesis_figures.h"
#include "widgets/models/library_entry.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/notes_panel.h"
#include "widgets/pages/settings_dialog.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

QString withoutMnemonic(QString text) {
  return text.remove(QLatin1Char('&'));
}

}  // namespace

// Row of a menu: its kind or availability, and its function: runs, or fills its submenu.
struct MainWindow::CommandRow {
  // A standard shortcut of the system, or one or more by name.
  struct Keys {
    Keys(QKeySequence::StandardKey key) : list{key} {}
    Keys(const char* names) : list(QKeySequence::listFromString(QLatin1String(names))) {}
    QList<QKeySequence> list;
  };
  Menu menu;
  Offer offer;
  const char* name = "";  // object name of the action or the menu
  QString text = {};
  const char* icon = "";
  Keys keys = "";
  std::function<void(MainWindow& window)> run = {};
};

const std::vector<MainWindow::CommandRow>& MainWindow::commandRows() {
  using enum Menu;
  using enum Offer;
  using W = MainWindow;
  using K = QKeySequence;
  static const std::vector<CommandRow> kRows = {
      {File, Always, "actionOpen", tr("&Open …"), "open", K::Open, &W::openDialog},
      {File, Always, "actionExample", tr("Open the &example"), "play", "", &W::openExample},
      {File, AsMenu, "recentFiles", tr("Open &recent"), "", "", &W::fillRecentMenu},
      {File, AsLine},
      {File, Always, "actionOpenSession", tr("Open sessio&n …"), "", "Ctrl+Shift+O",
       [](W& w) { w.m_sessions.openDialog(); }},
      {File, AsMenu, "recentSessions", tr("Recent sess&ions"), "", "",
       [](W& w) { w.m_sessions.fillMenu(w.submenu("recentSessions")); }},
      {File, Always, "actionSaveSession", tr("&Save session as …"), "", "Ctrl+Shift+S",
       [](W& w) { w.m_sessions.saveAsDialog(); }},
      {File, AsLine},
      {File, Always, "actionCompare", tr("Co&mpare …"), "chart", "Ctrl+Shift+N",
       [](W& w) { w.compareWithCurrent({}); }},
      {File, Always, "actionBenchmarks", tr("&Benchmarks"), "chart", "Ctrl+Shift+B",
       &W::benchmarksWithCurrent},
      {File, Always, "actionThesis", tr("Figures of the &thesis"), "chart", "", [](W& w) { w.openThesis(); }},
      {File, Always, "actionRuns", tr("R&uns"), "filter", "Ctrl+Shift+R", [](W& w) { w.openRuns(); }},
      {File, Always, "actionWelcome", tr("&Welcome page"), "home", "Ctrl+T",
       [](W& w) { w.m_welcome.show(); }},
      {File, AsLine},
      {File, WithPicture, "actionExport", tr("&Export figure …"), "export", "Ctrl+E",
       [](W& w) { w.m_exports.exportCurrent(); }},
      {File, WithViews, "actionToPage", tr("A&dd the view to the figure page"), "plus", "Ctrl+Shift+E",
       [](W& w) { w.m_exports.addToPage(); }},
      {File, Always, "actionFigurePage", tr("Compose &figure page …"), "", "",
       [](W& w) { w.m_exports.openPage(); }},
      {File, WithStudy, "actionTables", tr("Save tables as &CSV …"), "", "",
       [](W& w) { w.m_dialogs.exportTables(); }},
      {File, WithStudy, "actionPage", tr("Save study as a &web page …"), "", "",
       [](W& w) { w.m_dialogs.exportPage(); }},
      {File, AsLine},
      {File, Always, "actionCloseTab", tr("&Close tab"), "", "Ctrl+W",
       [](W& w) { w.m_tabs->close(w.m_tabs->currentIndex()); }},
      {File, Always, "actionQuit", tr("&Quit"), "", "Ctrl+Q", &W::close},

      {Edit, ForUndo, "actionUndo", tr("&Undo"), "undo", K::Undo,
       [](W& w) { w.m_tabs->selection()->undo(); }},
      {Edit, ForRedo, "actionRedo", tr("&Redo"), "redo", K::Redo,
       [](W& w) { w.m_tabs->selection()->redo(); }},
      {Edit, AsLine},
      {Edit, WithPicture, "actionCopy", tr("Copy &picture"), "copy", "Ctrl+Shift+C",
       [](W& w) { w.m_exports.copyPicture(); }},
      {Edit, WithPicture, "actionPython", tr("Copy as P&ython"), "copy", "",
       [](W& w) { w.m_exports.copyPython(); }},
      {Edit, Always, "actionSearch", tr("&Search …"), "search", "Ctrl+K",
       [](W& w) { w.m_bar->palette().open(); }},
      {Edit, AsLine},
      {Edit, Always, "actionSettings", tr("Se&ttings …"), "gear", "Ctrl+,", &W::showSettings},

      {View, AsMenu, "panels", tr("&Panels"), "", "", &W::fillPanelMenu},
      {View, WithViews, "actionResetLayout", tr("&Reset layout"), "reset", "",
       [](W& w) { w.m_tabs->panels()->resetLayout(); }},
      {View, AsMenu, "themes", tr("&Theme"), "", "", {}},
      {Theme, Always, "theme-system", tr("Like the &system"), "", "",
       [](W& w) { w.setTheme(QStringLiteral("system")); }},
      {Theme, Always, "theme-light", tr("&Light"), "", "", [](W& w) { w.setTheme(QStringLiteral("light")); }},
      {Theme, Always, "theme-dark", tr("&Dark"), "", "", [](W& w) { w.setTheme(QStringLiteral("dark")); }},
      {View, WithViews, "actionAligned", tr("&Aligned plasticity"), "", "Ctrl+Shift+P", &W::togglePlasticity},
      {View, WithViews, "actionMaximise", tr("&Maximise or restore the panel"), "maximise", "F10",
       [](W& w) { w.m_tabs->panels()->maximiseCurrent(); }},
      {View, Always, "actionNextPanel", tr("&Next panel"), "", "F6", [](W& w) { w.focusPanel(1); }},
      {View, Always, "actionPreviousPanel", tr("Pre&vious panel"), "", "Shift+F6",
       [](W& w) { w.focusPanel(-1); }},
      {View, Always, "actionFullScreen", tr("&Full screen"), "", "F11",
       [](W& w) { w.setWindowState(w.windowState() ^ Qt::WindowFullScreen); }},

      {Capture, Always, "actionCapture", tr("&New capture …"), "capture", K::New,
       [](W& w) { w.m_dialogs.capture(); }},
      {Capture, Always, "actionSweep", tr("New s&weep …"), "", "", [](W& w) { w.m_dialogs.sweep(); }},
      {Capture, Always, "actionRefresh", tr("Search models and captures &again"), "reset", K::Refresh,
       [](W& w) { w.m_session.library.refresh(); }},

      {Analysis, WithStudy, "actionAnalyse", tr("&Analyse with other settings …"), "gear", "Ctrl+Shift+A",
       [](W& w) { w.m_dialogs.analyse(); }},
      {Analysis, WithStudy, "actionRows", tr("Choose &rows …"), "filter", "R",
       [](W& w) { w.m_dialogs.chooseRows(); }},
      {Analysis, AsMenu, "measure", tr("&Measure"), "capture"},
      {Analysis, WithStudy, "actionCauses", tr("&Causes …"), "", "", [](W& w) { w.m_dialogs.findCauses(); }},
      {Analysis, WithStudy, "actionLocateCapture", tr("&Locate the capture …"), "search", "",
       [](W& w) { w.m_files.locateCaptureDialog(); }},
      {Analysis, AsLine},
      {Analysis, WithViews, "actionPreviousHead", tr("&Previous head"), "left", "[",
       [](W& w) { w.m_bar->stepHead(-1); }},
      {Analysis, WithViews, "actionNextHead", tr("&Next head"), "right", "]",
       [](W& w) { w.m_bar->stepHead(1); }},
      {Analysis, WithStudy, "actionStar", tr("&Mark or unmark the head"), "star", "S",
       [](W& w) { w.m_bar->toggleStar(); }},
      {Analysis, WithStudy, "actionNote", tr("N&ote on the head"), "", "N", &W::writeNote},
      {Analysis, WithStudy, "actionFilter", tr("&Filter heads"), "filter", K::Find,
       [](W& w) { w.currentPage()->findChild<QLineEdit*>(QStringLiteral("headFilter"))->setFocus(); }},

      {Window, Always, "nextTab", tr("&Next tab"), "", "Ctrl+PgDown", [](W& w) { w.m_tabs->step(1); }},
      {Window, Always, "previousTab", tr("&Previous tab"), "", "Ctrl+PgUp", [](W& w) { w.m_tabs->step(-1); }},

      {Help, Always, "actionTour", tr("Take the &tour"), "play", "", &W::takeTour},
      {Help, Always, "actionShortcuts", tr("&Shortcuts"), "question", "F1; ?", &W::showShortcuts},
      {Help, Always, "actionHelp", tr("What the &numbers mean"), "", "Shift+F1",
       [](W& w) { w.m_docks->helpDock().bringForward(); }},
      {Help, Always, "actionAbout", tr("&About Plastiscope"), "", "", [](W& w) { showAbout(w); }},
      {Help, Always, "actionAboutQt", tr("About &Qt"), "", "", [](W&) { QApplication::aboutQt(); }},
  };
  return kRows;
}

void MainWindow::buildMenus() {
  const std::pair<Menu, QString> titles[] = {
      {Menu::File, tr("&File")},       {Menu::Edit, tr("&Edit")},         {Menu::View, tr("&View")},
      {Menu::Capture, tr("&Capture")}, {Menu::Analysis, tr("&Analysis")}, {Menu::Window, tr("&Window")},
      {Menu::Help, tr("&Help")}};
  for (const auto& [menu, title] : titles) m_menus[menu] = menuBar()->addMenu(title);
  connect(m_menus[Menu::Window], &QMenu::aboutToShow, this, &MainWindow::fillWindowMenu);
  m_themes = new QActionGroup(this);
  for (const CommandRow& row : commandRows()) addRow(row);
  m_menus[Menu::Measure] = &submenu("measure");
  for (const MeasurementKind& kind : measurementKinds())
    addRow({Menu::Measure, Offer::WithViews, kind.action, kind.menu, "", "",
            [&kind](MainWindow& w) { w.m_dialogs.measure(kind); }});
  for (QAction* action : m_themes->actions()) action->setCheckable(true);
  command(("theme-" + m_session.state.settings().theme).c_str())->setChecked(true);
  for (const char* name : {"actionFullScreen", "actionAligned"}) command(name)->setCheckable(true);
  command("actionCopy")->setToolTip(tr("The figure as PNG, SVG and PDF, and its numbers as CSV"));
  submenu("themes").addActions(m_themes->actions());
  fillWindowMenu();
}

void MainWindow::addRow(const CommandRow& row) {
  const QString name = QLatin1String(row.name);
  const auto found = m_menus.find(row.menu);
  QMenu* menu = found == m_menus.end() ? nullptr : found->second;  // null: themes are filled in later
  if (row.offer == Offer::AsLine) {
    menu->addSeparator();
    return;
  }
  if (row.offer == Offer::AsMenu) {
    QMenu* submenu = menu->addMenu(row.text);
    submenu->setObjectName(name);
    submenu->setToolTipsVisible(true);
    if (*row.icon != '\0') submenu->setIcon(lineIcon(QLatin1String(row.icon)));
    if (row.run) connect(submenu, &QMenu::aboutToShow, this, [this, fill = row.run] { fill(*this); });
    return;
  }
  auto* action = new QAction(*row.icon == '\0' ? QIcon() : lineIcon(QLatin1String(row.icon)), row.text, this);
  action->setObjectName(name);
  action->setShortcuts(row.keys.list);
  connect(action, &QAction::triggered, this, [this, run = row.run] { run(*this); });
  addAction(action);
  m_commands.push_back({action, row.menu, row.offer});
  row.menu == Menu::Theme ? (void)m_themes->addAction(action) : menu->addAction(action);
}

bool MainWindow::offers(Offer offer) const {
  const Selection* selection = m_tabs->selection();
  switch (offer) {
    case Offer::WithStudy:
      return currentPage() != nullptr;
    case Offer::WithViews:
      return selection != nullptr;
    case Offer::WithPicture:
      return selection != nullptr || currentBenchmarks() != nullptr ||
             (currentThesis() != nullptr && currentThesis()->isDrawn());
    case Offer::ForUndo:
      return selection != nullptr && selection->canUndo();
    case Offer::ForRedo:
      return selection != nullptr && selection->canRedo();
    default:
      return true;
  }
}

QAction* MainWindow::command(const char* name) const {
  return findChild<QAction*>(QLatin1String(name), Qt::FindDirectChildrenOnly);
}

QMenu& MainWindow::submenu(const char* name) const {
  return *findChild<QMenu*>(QLatin1String(name));
}

// Actions as entries of the palette.
std::vector<Command> MainWindow::actionCommands() const {
  std::vector<Command> commands;
  for (const auto& [action, menu, offer] : m_commands) {
    const QString text = withoutMnemonic(action->text());
    commands.push_back({menu == Menu::Theme     ? tr("Theme: %1").arg(text.toLower())
                        : menu == Menu::Measure ? tr("Measure %1").arg(text)
                                                : text,
                        action->shortcut().toString(QKeySequence::NativeText),
                        [action = action] { action->trigger(); },
                        menu == Menu::Measure ? tr("ablate intervention") : QString(),
                        action->isEnabled() ? QString() : needOf(offer)});
  }
  return commands;
}

// Reason why a command is not available.
QString MainWindow::needOf(Offer offer) {
  switch (offer) {
    case Offer::WithStudy:
      return tr("needs an open capture");
    case Offer::WithViews:
      return tr("needs an open capture or comparison");
    case Offer::WithPicture:
      return tr("needs a tab with figures");
    case Offer::ForUndo:
      return tr("nothing to undo");
    case Offer::ForRedo:
      return tr("nothing to redo");
    default:
      return tr("not available in this tab");
  }
}

std::vector<Command> MainWindow::paletteCommands() {
  std::vector<Command> commands = actionCommands();
  QList<PanelDock*> panels = m_docks->all();
  if (ComparePage* compare = currentCompare()) panels += compare->panels().docks();
  for (PanelDock* panel : panels) {
    commands.push_back({tr("Show %1").arg(panel->windowTitle()), tr("panel"), [panel = QPointer(panel)] {
                          if (panel != nullptr)
                            panel->bringForward();  // not closed while the palette was open
                        }});
  }
  const auto add = [&commands](std::vector<Command> more) {
    std::ranges::move(more, std::back_inserter(commands));
  };
  if (ModelPage* page = currentPage()) add(viewCommands(*page));
  add(headCommands(*m_tabs));
  for (const RecentFile& recent : m_session.state.settings().recentFiles) {
    if (recent.isSession())
      commands.push_back({tr("Open session %1").arg(fileText(recent.path.stem())),
                          QString::fromStdString(recent.note),
                          [this, path = recent.path] { m_sessions.open(path); }});
  }
  for (const ThesisFigure& figure : thesisFigures()) {
    const QString number = QString::fromLatin1(figure.number);
    commands.push_back({tr("Thesis: %1").arg(QString::fromUtf8(figure.title)),
                        number.isEmpty() ? QString::fromLatin1(figure.id) : tr("figure %1").arg(number),
                        [this, id = std::string(figure.id)] { openThesis(id); }});
  }
  for (const EntryKind kind :
       {EntryKind::Capture, EntryKind::Analysis, EntryKind::Model, EntryKind::Published}) {
    for (const LibraryEntry& entry : m_session.library.model().entries(kind)) {
      commands.push_back({entry.name, entry.summary.section(QLatin1Char(','), 0, 0),
                          [this, path = entry.path] { openPaths({path}); }});
    }
  }
  return commands;
}

// Switches between aligned and binned (as in the thesis), for this tab and tabs opened later.
void MainWindow::togglePlasticity() {
  const ApKind kind = otherPlasticity(m_tabs->selection()->value().plasticity);
  m_tabs->selection()->setPlasticity(kind);
  m_session.state.settings().plasticity = kind;
  m_session.state.saveSettings();
}

void MainWindow::showPlasticity() {
  QAction* action = command("actionAligned");
  const Selection* selection = m_tabs->selection();
  ShownPlasticity shown;
  if (ModelPage* page = currentPage()) shown = page->model().plasticity();
  if (ComparePage* page = currentCompare(); page && page->model().views())
    shown = page->model().views()->comparison->plasticity;
  action->setChecked(selection && shown.kind == ApKind::Aligned);
  action->setEnabled(selection && shown.note.empty());
  action->setToolTip(plainTip(
      shown.note.empty() ? tr("Plasticity of queries put at one position; off: binned, as in the thesis")
                         : QString::fromStdString(shown.note)));
}

void MainWindow::writeNote() {
  m_docks->notesDock().bringForward();
  m_docks->notes().findChild<QWidget*>(QStringLiteral("headNote"))->setFocus();
}

void MainWindow::benchmarksWithCurrent() {
  SessionTab start;
  if (ModelPage* page = currentPage()) start.compared.push_back(page->file());
  if (ComparePage* page = currentCompare()) start.compared = page->model().files();
  openBenchmarks(start);
}

void MainWindow::fillRecentMenu() {
  QMenu& menu = submenu("recentFiles");
  menu.clear();
  for (const RecentFile& file : m_session.state.settings().recentFiles) {
    QAction* action = menu.addAction(file.isSession() ? lineIcon(QStringLiteral("file"))
                                                      : familyIcon(QString::fromStdString(file.architecture)),
                                     fileText(file.path.filename()));
    action->setToolTip(plainTip(fileText(file.path)));
    connect(action, &QAction::triggered, this, [this, path = file.path] { openPaths({path}); });
  }
  if (menu.isEmpty()) menu.addAction(tr("None yet"))->setEnabled(false);
}

void MainWindow::fillPanelMenu() {
  QMenu& menu = submenu("panels");
  menu.clear();
  for (PanelDock* dock : m_docks->all()) menu.addAction(dock->toggleViewAction());
  if (!m_tabs->panels()) return;
  menu.addSeparator();
  menu.addActions(m_tabs->panels()->panelActions());
}

void MainWindow::fillWindowMenu() {
  QMenu* menu = m_menus[Menu::Window];
  menu->clear();
  menu->addActions({command("nextTab"), command("previousTab")});
  menu->addSeparator();
  for (int i = 0; i < m_tabs->count(); ++i) {
    QAction* action = menu->addAction(m_tabs->tabIcon(i), m_tabs->tabText(i));
    action->setCheckable(true);
    action->setChecked(i == m_tabs->currentIndex());
    connect(action, &QAction::triggered, this, [this, i] { m_tabs->setCurrentIndex(i); });
  }
}

std::vector<std::pair<QString, QString>> MainWindow::shortcutsOf(Menu menu) const {
  std::vector<std::pair<QString, QString>> rows;
  for (const auto& [action, place, offer] : m_commands) {
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts())
      if (!key.isEmpty()) keys << key.toString(QKeySequence::NativeText);
    if (place == menu && !keys.isEmpty())
      rows.emplace_back(keys.join(QStringLiteral(" / ")), withoutMnemonic(action->text()));
  }
  return rows;
}

void MainWindow::showShortcuts() {
  std::vector<ShortcutGroup> first, second;
  for (const auto& [menu, of] : m_menus) {
    const bool isFirst = menu == Menu::File || menu == Menu::Edit;
    (isFirst ? first : second).push_back({withoutMnemonic(of->title()), shortcutsOf(menu)});
  }
  showShortcutSheet(*this, first, second);
}

void MainWindow::showSettings() {
  auto* dialog = new SettingsDialog(m_session.state.settings(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &SettingsDialog::changed, this, &MainWindow::useSettings);
  dialog->open();
}

}  // namespace plastiscope
