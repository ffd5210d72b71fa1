// Everything that can be commanded, in one list: menus, shortcuts, tool bar, context menus, palette and the
// sheet of shortcuts are made of it.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/desktop/main_window.h"
#include "core/base/version.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/command_palette.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/notes_panel.h"
#include "widgets/pages/settings_dialog.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace plastiscope {

// A row of a menu: an action; a menu that is filled when it opens, or with the rows of the themes; or a line.
struct MainWindow::CommandRow {
  Menu menu;
  const char* name = "";  // object name of the action or the menu; "" = none
  QString text = {};      // "" = a line
  const char* icon = "";
  QList<QKeySequence> keys = {};
  void (*run)(MainWindow& window) = nullptr;
  Needs needs = Needs::Nothing;
  void (MainWindow::*fill)(QMenu* menu) = nullptr;  // a menu
  QString tip = {};
  bool checkable = false;
};

const std::vector<MainWindow::CommandRow>& MainWindow::commandRows() {
  using W = MainWindow;
  using K = QKeySequence;
  const auto key = [](const QString& keys) { return QList{QKeySequence(keys)}; };
  static const std::vector<CommandRow> kRows = {
      {Menu::File, "actionOpen", tr("&Open …"), "open", {K(K::Open)}, [](W& w) { w.openDialog(); }},
      {Menu::File, "actionExample", tr("Open the &example"), "play", {}, [](W& w) { w.openExample(); }},
      {Menu::File, "recentFiles", tr("Open &recent"), "", {}, nullptr, Needs::Nothing, &W::fillRecentMenu},
      {Menu::File},
      {Menu::File, "actionOpenSession", tr("Open sessio&n …"), "", key(tr("Ctrl+Shift+O")),
       [](W& w) { w.openSessionDialog(); }},
      {Menu::File,
       "recentSessions",
       tr("Recent sess&ions"),
       "",
       {},
       nullptr,
       Needs::Nothing,
       &W::fillSessionMenu},
      {Menu::File, "actionSaveSession", tr("&Save session as …"), "", key(tr("Ctrl+Shift+S")),
       [](W& w) { w.saveSessionDialog(); }},
      {Menu::File},
      {Menu::File, "actionCompare", tr("Co&mpare …"), "chart", key(tr("Ctrl+Shift+N")),
       [](W& w) { w.compareWithCurrent({}); }},
      {Menu::File, "actionBenchmarks", tr("&Benchmarks"), "chart", key(tr("Ctrl+Shift+B")),
       [](W& w) {
         SessionTab start;
         if (ModelPage* page = w.currentPage()) start.compared.push_back(page->file());
         if (ComparePage* page = w.currentCompare()) start.compared = page->model().files();
         w.openBenchmarks(start);
       }},
      {Menu::File, "actionWelcome", tr("&Welcome page"), "home", key(tr("Ctrl+T")),
       [](W& w) { w.showWelcome(); }},
      {Menu::File},
      {Menu::File, "actionExport", tr("&Export figure …"), "export", key(tr("Ctrl+E")),
       [](W& w) { w.exportDialog(); }, Needs::Picture},
      {Menu::File,
       "actionTables",
       tr("Save tables as &CSV …"),
       "",
       {},
       [](W& w) { w.exportTables(); },
       Needs::Study},
      {Menu::File},
      {Menu::File, "actionCloseTab", tr("&Close tab"), "", key(tr("Ctrl+W")),
       [](W& w) { w.closeTab(w.m_tabs->currentIndex()); }},
      {Menu::File, "actionQuit", tr("&Quit"), "", key(tr("Ctrl+Q")), [](W& w) { w.close(); }},

      {Menu::Edit,
       "actionUndo",
       tr("&Undo"),
       "undo",
       {K(K::Undo)},
       [](W& w) { w.currentSelection()->undo(); },
       Needs::Undo},
      {Menu::Edit,
       "actionRedo",
       tr("&Redo"),
       "redo",
       {K(K::Redo)},
       [](W& w) { w.currentSelection()->redo(); },
       Needs::Redo},
      {Menu::Edit},
      {Menu::Edit, "actionCopy", tr("Copy &picture"), "copy", key(tr("Ctrl+Shift+C")),
       [](W& w) { w.copyPicture(); }, Needs::Picture, nullptr,
       tr("The figure as PNG, SVG and PDF, and its numbers as CSV")},
      {Menu::Edit, "actionSearch", tr("&Search …"), "search", key(tr("Ctrl+K")),
       [](W& w) { w.m_palette->open(); }},
      {Menu::Edit},
      {Menu::Edit, "actionSettings", tr("Se&ttings …"), "gear", key(tr("Ctrl+,")),
       [](W& w) { w.showSettings(); }},

      {Menu::View, "panels", tr("&Panels"), "", {}, nullptr, Needs::Nothing, &W::fillPanelMenu},
      {Menu::View,
       "actionResetLayout",
       tr("&Reset layout"),
       "reset",
       {},
       [](W& w) { w.currentPanels()->resetLayout(); },
       Needs::Views},
      {Menu::View, "themes", tr("&Theme")},
      {Menu::Theme,
       "theme-system",
       tr("Like the &system"),
       "",
       {},
       [](W& w) { w.setTheme(QStringLiteral("system")); },
       Needs::Nothing,
       nullptr,
       {},
       true},
      {Menu::Theme,
       "theme-light",
       tr("&Light"),
       "",
       {},
       [](W& w) { w.setTheme(QStringLiteral("light")); },
       Needs::Nothing,
       nullptr,
       {},
       true},
      {Menu::Theme,
       "theme-dark",
       tr("&Dark"),
       "",
       {},
       [](W& w) { w.setTheme(QStringLiteral("dark")); },
       Needs::Nothing,
       nullptr,
       {},
       true},
      {Menu::View,
       "actionMaximise",
       tr("&Maximise or restore the panel"),
       "maximise",
       {K(Qt::Key_F10)},
       [](W& w) { w.currentPanels()->maximiseCurrent(); },
       Needs::Views},
      {Menu::View, "actionNextPanel", tr("&Next panel"), "", {K(Qt::Key_F6)}, [](W& w) { w.focusPanel(1); }},
      {Menu::View,
       "actionPreviousPanel",
       tr("Pre&vious panel"),
       "",
       {K(Qt::SHIFT | Qt::Key_F6)},
       [](W& w) { w.focusPanel(-1); }},
      {Menu::View,
       "actionFullScreen",
       tr("&Full screen"),
       "",
       {K(Qt::Key_F11)},
       [](W& w) { w.setWindowState(w.windowState() ^ Qt::WindowFullScreen); },
       Needs::Nothing,
       nullptr,
       {},
       true},

      {Menu::Capture,
       "actionCapture",
       tr("&New capture …"),
       "capture",
       {K(K::New)},
       [](W& w) { w.captureDialog(); }},
      {Menu::Capture,
       "actionRefresh",
       tr("Search models and captures &again"),
       "reset",
       {K(K::Refresh)},
       [](W& w) { w.m_session.refreshLibrary(); }},

      {Menu::Analysis, "actionAnalyse", tr("&Analyse with other settings …"), "gear", key(tr("Ctrl+Shift+A")),
       [](W& w) { w.analysisDialog(); }, Needs::Study},
      {Menu::Analysis,
       "actionLocateCapture",
       tr("&Locate the capture …"),
       "search",
       {},
       [](W& w) { w.locateCaptureDialog(); },
       Needs::Study},
      {Menu::Analysis},
      {Menu::Analysis,
       "actionPreviousHead",
       tr("&Previous head"),
       "left",
       {K(Qt::Key_BracketLeft)},
       [](W& w) { w.stepHead(-1); },
       Needs::Views},
      {Menu::Analysis,
       "actionNextHead",
       tr("&Next head"),
       "right",
       {K(Qt::Key_BracketRight)},
       [](W& w) { w.stepHead(1); },
       Needs::Views},
      {Menu::Analysis,
       "actionStar",
       tr("&Mark or unmark the head"),
       "star",
       {K(Qt::Key_S)},
       [](W& w) { w.toggleStar(); },
       Needs::Study},
      {Menu::Analysis,
       "actionNote",
       tr("N&ote on the head"),
       "",
       {K(Qt::Key_N)},
       [](W& w) {
         w.showDock(*w.m_notesDock);
         w.m_notes->findChild<QWidget*>(QStringLiteral("headNote"))->setFocus();
       },
       Needs::Study},
      {Menu::Analysis,
       "actionFilter",
       tr("&Filter heads"),
       "filter",
       {K(K::Find)},
       [](W& w) { w.currentPage()->findChild<QLineEdit*>(QStringLiteral("headFilter"))->setFocus(); },
       Needs::Study},

      {Menu::Window, "nextTab", tr("&Next tab"), "", key(tr("Ctrl+PgDown")), [](W& w) { w.stepTab(1); }},
      {Menu::Window, "previousTab", tr("&Previous tab"), "", key(tr("Ctrl+PgUp")),
       [](W& w) { w.stepTab(-1); }},

      {Menu::Help,
       "actionShortcuts",
       tr("&Shortcuts"),
       "question",
       {K(Qt::Key_F1), K(Qt::Key_Question)},
       [](W& w) { w.showShortcuts(); }},
      {Menu::Help, "actionHelp", tr("What the &numbers mean"), "", key(tr("Shift+F1")),
       [](W& w) { w.showDock(*w.m_helpDock); }},
      {Menu::Help, "actionAbout", tr("&About Plastiscope"), "", {}, [](W& w) { w.showAbout(); }},
      {Menu::Help, "actionAboutQt", tr("About &Qt"), "", {}, [](W&) { QApplication::aboutQt(); }},
  };
  return kRows;
}

namespace {

QString withoutMnemonic(QString text) {
  return text.remove(QLatin1Char('&'));
}

}  // namespace

void MainWindow::buildMenus() {
  m_themes = new QActionGroup(this);
  const std::pair<Menu, QString> titles[] = {
      {Menu::File, tr("&File")},       {Menu::Edit, tr("&Edit")},         {Menu::View, tr("&View")},
      {Menu::Capture, tr("&Capture")}, {Menu::Analysis, tr("&Analysis")}, {Menu::Window, tr("&Window")},
      {Menu::Help, tr("&Help")}};
  for (const auto& [menu, title] : titles) m_menus[menu] = menuBar()->addMenu(title);
  connect(m_menus[Menu::Window], &QMenu::aboutToShow, this, &MainWindow::fillWindowMenu);
  for (const CommandRow& row : commandRows()) {
    QMenu& menu = *m_menus[row.menu];
    if (row.run != nullptr)
      menu.addAction(addCommand(row));
    else if (row.fill != nullptr)
      addSubmenu(menu, row);
    else if (!row.text.isEmpty())
      m_menus[Menu::Theme] = menu.addMenu(row.text);
    else
      menu.addSeparator();
  }
  for (QAction* action : m_menus[Menu::Theme]->actions()) m_themes->addAction(action);
  command(("theme-" + m_session.settings().theme).c_str())->setChecked(true);
  fillWindowMenu();
}

QAction* MainWindow::addCommand(const CommandRow& row) {
  auto* action = new QAction(*row.icon == '\0' ? QIcon() : lineIcon(QLatin1String(row.icon)), row.text, this);
  action->setObjectName(QLatin1String(row.name));
  action->setShortcuts(row.keys);
  if (!row.tip.isEmpty()) action->setToolTip(row.tip);
  action->setCheckable(row.checkable);
  connect(action, &QAction::triggered, this, [this, run = row.run] { run(*this); });
  addAction(action);
  m_commands.push_back({action, row.menu, row.needs});
  return action;
}

void MainWindow::addSubmenu(QMenu& into, const CommandRow& row) {
  QMenu* menu = into.addMenu(row.text);
  menu->setObjectName(QLatin1String(row.name));
  menu->setToolTipsVisible(true);
  connect(menu, &QMenu::aboutToShow, this, [this, menu, fill = row.fill] { (this->*fill)(menu); });
}

bool MainWindow::has(Needs needs) const {
  const Selection* selection = currentSelection();
  switch (needs) {
    case Needs::Study:
      return currentPage() != nullptr;
    case Needs::Views:
      return selection != nullptr;
    case Needs::Picture:
      return selection != nullptr || currentBenchmarks() != nullptr;
    case Needs::Undo:
      return selection != nullptr && selection->canUndo();
    case Needs::Redo:
      return selection != nullptr && selection->canRedo();
    case Needs::Nothing:
      return true;
  }
  return true;
}

QAction* MainWindow::command(const char* name) const {
  return findChild<QAction*>(QLatin1String(name), Qt::FindDirectChildrenOnly);
}

// The actions as the palette lists them.
std::vector<Command> MainWindow::actionCommands() const {
  std::vector<Command> commands;
  for (const auto& [action, menu, needs] : m_commands) {
    if (!action->isEnabled()) continue;
    const QString text = withoutMnemonic(action->text());
    commands.push_back({menu == Menu::Theme ? tr("Theme: %1").arg(text.toLower()) : text,
                        action->shortcut().toString(QKeySequence::NativeText),
                        [action = action] { action->trigger(); }});
  }
  return commands;
}

void MainWindow::stepHead(int by) {
  const auto head = neighbourHead(by);
  if (head && currentSelection()) currentSelection()->setHead(*head);
}

void MainWindow::toggleStar() {
  Selection* selection = currentSelection();
  if (selection && selection->value().head) selection->toggleMark(*selection->value().head);
}

void MainWindow::stepTab(int by) {
  if (m_tabs->count() > 0)
    m_tabs->setCurrentIndex((m_tabs->currentIndex() + by + m_tabs->count()) % m_tabs->count());
}

void MainWindow::showDock(PanelDock& dock) {
  dock.show();
  dock.raise();
}

void MainWindow::fillRecentMenu(QMenu* menu) {
  menu->clear();
  for (const RecentFile& file : m_session.settings().recentFiles) {
    QAction* action =
        menu->addAction(file.isSession() ? lineIcon(QStringLiteral("file"))
                                         : familyIcon(QString::fromStdString(file.architecture)),
                        fileText(file.path.filename()));
    action->setToolTip(plainTip(fileText(file.path)));
    connect(action, &QAction::triggered, this, [this, path = file.path] { openPaths({path}); });
  }
  if (menu->isEmpty()) menu->addAction(tr("None yet"))->setEnabled(false);
}

void MainWindow::fillPanelMenu(QMenu* menu) {
  menu->clear();
  for (PanelDock* dock : {m_libraryDock, m_detailsDock, m_helpDock, m_notesDock})
    menu->addAction(dock->toggleViewAction());
  if (!currentPanels()) return;
  menu->addSeparator();
  menu->addActions(currentPanels()->panelActions());
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

void MainWindow::showShortcuts() {
  QStringList groups;  // one of each menu, and what has no menu
  const auto addGroup = [&groups](const QString& title,
                                  const std::vector<std::pair<QString, QString>>& rows) {
    if (rows.empty()) return;
    QString group = QStringLiteral("<tr><td colspan='2'><i>%1</i></td></tr>").arg(title.toHtmlEscaped());
    for (const auto& [keys, text] : rows) {
      group += QStringLiteral("<tr><td style='padding:2px 20px 2px 0'><b>%1</b></td><td>%2</td></tr>")
                   .arg(keys.toHtmlEscaped(), text.toHtmlEscaped());
    }
    groups.append(group + QStringLiteral("<tr><td>&nbsp;</td></tr>"));
  };
  for (const auto& [menu, of] : m_menus) {
    std::vector<std::pair<QString, QString>> rows;
    for (const auto& [action, place, needs] : m_commands) {
      QStringList keys;
      for (const QKeySequence& key : action->shortcuts()) keys << key.toString(QKeySequence::NativeText);
      if (place == menu && !keys.isEmpty())
        rows.emplace_back(keys.join(QStringLiteral(" / ")), withoutMnemonic(action->text()));
    }
    addGroup(withoutMnemonic(of->title()), rows);
  }
  addGroup(tr("In the views"),
           {{tr("Arrows, Home, End"), tr("Walk through heads in the grid; rows in the table")},
            {tr("Shift and drag"), tr("Select rows of the plane by drawing around them")},
            {tr("Wheel, drag"), tr("Zoom and pan in the plane and the profile")},
            {tr("Double click"), tr("Show a whole picture again")}});
  const qsizetype left = 3;  // of the groups; the others stand at the right
  const QString columns = QStringLiteral(
                              "<table><tr><td><table>%1</table></td><td style='padding-left:36px'>"
                              "<table>%2</table></td></tr></table>")
                              .arg(groups.first(left).join(QString()), groups.sliced(left).join(QString()));
  QDialog sheet(this);
  sheet.setObjectName(QStringLiteral("shortcutSheet"));
  sheet.setWindowTitle(tr("Shortcuts"));
  auto* text = new QLabel(QStringLiteral("<qt>%1</qt>").arg(columns), &sheet);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &sheet);
  connect(buttons, &QDialogButtonBox::rejected, &sheet, &QDialog::reject);
  auto* column = new QVBoxLayout(&sheet);
  column->setContentsMargins(20, 16, 20, 14);
  column->setSpacing(14);
  column->addWidget(text);
  column->addWidget(buttons);
  sheet.exec();
}

void MainWindow::showSettings() {
  auto* dialog = new SettingsDialog(m_session.settings(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &SettingsDialog::changed, this, &MainWindow::useSettings);
  dialog->open();
}

void MainWindow::showAbout() {
  QMessageBox box(this);
  box.setWindowTitle(tr("About Plastiscope"));
  box.setIconPixmap(windowIcon().pixmap(QSize(64, 64), devicePixelRatioF()));
  box.setText(
      tr("<qt><h3>Plastiscope %1</h3>"
         "<p>A desktop microscope for the attention heads of language models: captures queries and keys "
         "over long texts, and shows how plastic each head's attention still is.</p>"
         "<p>Licence: GNU General Public License, version 3.</p>"
         "<p>Built on Qt %2 (LGPL 3), QCustomPlot (GPL 3), VTK (BSD), HDF5 (BSD), Eigen (MPL 2), ICU "
         "(Unicode licence), OpenSSL (Apache 2), CLI11 (BSD), nlohmann/json (MIT); captures run on libtorch "
         "(BSD).</p></qt>")
          .arg(QString::fromLatin1(kVersion), QString::fromLatin1(qVersion())));
  box.exec();
}

}  // namespace plastiscope
