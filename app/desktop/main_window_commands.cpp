// List of all commands, the source of menus, shortcuts, tool bar, context menus, palette and the sheet of
// shortcuts.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>

#include "app/desktop/main_window.h"
#include "app/desktop/measure_dialog.h"
#include "app/desktop/thesis_page.h"
#include "core/base/version.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/command_palette.h"
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
      {File, Always, "actionOpenSession", tr("Open sessio&n …"), "", "Ctrl+Shift+O", &W::openSessionDialog},
      {File, AsMenu, "recentSessions", tr("Recent sess&ions"), "", "", &W::fillSessionMenu},
      {File, Always, "actionSaveSession", tr("&Save session as …"), "", "Ctrl+Shift+S",
       &W::saveSessionDialog},
      {File, AsLine},
      {File, Always, "actionCompare", tr("Co&mpare …"), "chart", "Ctrl+Shift+N",
       [](W& w) { w.compareWithCurrent({}); }},
      {File, Always, "actionBenchmarks", tr("&Benchmarks"), "chart", "Ctrl+Shift+B",
       &W::benchmarksWithCurrent},
      {File, Always, "actionThesis", tr("Figures of the &thesis"), "chart", "", [](W& w) { w.openThesis(); }},
      {File, Always, "actionWelcome", tr("&Welcome page"), "home", "Ctrl+T", &W::showWelcome},
      {File, AsLine},
      {File, WithPicture, "actionExport", tr("&Export figure …"), "export", "Ctrl+E", &W::exportDialog},
      {File, WithStudy, "actionToPage", tr("A&dd the view to the figure page"), "plus", "Ctrl+Shift+E",
       &W::addToFigurePage},
      {File, Always, "actionFigurePage", tr("&Figure page …"), "", "", &W::openFigurePage},
      {File, WithStudy, "actionTables", tr("Save tables as &CSV …"), "", "", &W::exportTables},
      {File, WithStudy, "actionPage", tr("Save study as a &web page …"), "", "", &W::exportPage},
      {File, AsLine},
      {File, Always, "actionCloseTab", tr("&Close tab"), "", "Ctrl+W",
       [](W& w) { w.closeTab(w.m_tabs->currentIndex()); }},
      {File, Always, "actionQuit", tr("&Quit"), "", "Ctrl+Q", &W::close},

      {Edit, ForUndo, "actionUndo", tr("&Undo"), "undo", K::Undo, [](W& w) { w.currentSelection()->undo(); }},
      {Edit, ForRedo, "actionRedo", tr("&Redo"), "redo", K::Redo, [](W& w) { w.currentSelection()->redo(); }},
      {Edit, AsLine},
      {Edit, WithPicture, "actionCopy", tr("Copy &picture"), "copy", "Ctrl+Shift+C", &W::copyPicture},
      {Edit, Always, "actionSearch", tr("&Search …"), "search", "Ctrl+K", [](W& w) { w.m_palette->open(); }},
      {Edit, AsLine},
      {Edit, Always, "actionSettings", tr("Se&ttings …"), "gear", "Ctrl+,", &W::showSettings},

      {View, AsMenu, "panels", tr("&Panels"), "", "", &W::fillPanelMenu},
      {View, WithViews, "actionResetLayout", tr("&Reset layout"), "reset", "",
       [](W& w) { w.currentPanels()->resetLayout(); }},
      {View, AsMenu, "themes", tr("&Theme"), "", "", &W::fillThemeMenu},
      {Theme, Always, "theme-system", tr("Like the &system"), "", "",
       [](W& w) { w.setTheme(QStringLiteral("system")); }},
      {Theme, Always, "theme-light", tr("&Light"), "", "", [](W& w) { w.setTheme(QStringLiteral("light")); }},
      {Theme, Always, "theme-dark", tr("&Dark"), "", "", [](W& w) { w.setTheme(QStringLiteral("dark")); }},
      {View, WithViews, "actionAligned", tr("&Aligned plasticity"), "", "Ctrl+Shift+P",
       &W::togglePlasticity},
      {View, WithViews, "actionMaximise", tr("&Maximise or restore the panel"), "maximise", "F10",
       [](W& w) { w.currentPanels()->maximiseCurrent(); }},
      {View, Always, "actionNextPanel", tr("&Next panel"), "", "F6", [](W& w) { w.focusPanel(1); }},
      {View, Always, "actionPreviousPanel", tr("Pre&vious panel"), "", "Shift+F6",
       [](W& w) { w.focusPanel(-1); }},
      {View, Always, "actionFullScreen", tr("&Full screen"), "", "F11",
       [](W& w) { w.setWindowState(w.windowState() ^ Qt::WindowFullScreen); }},

      {Capture, Always, "actionCapture", tr("&New capture …"), "capture", K::New,
       [](W& w) { w.captureDialog(); }},
      {Capture, Always, "actionRefresh", tr("Search models and captures &again"), "reset", K::Refresh,
       [](W& w) { w.m_session.refreshLibrary(); }},

      {Analysis, WithStudy, "actionAnalyse", tr("&Analyse with other settings …"), "gear", "Ctrl+Shift+A",
       &W::analysisDialog},
      {Analysis, WithStudy, "actionRows", tr("Choose &rows …"), "filter", "R", &W::rowsDialog},
      {Analysis, AsMenu, "measure", tr("&Measure"), "capture"},
      {Analysis, WithStudy, "actionLocateCapture", tr("&Locate the capture …"), "search", "",
       &W::locateCaptureDialog},
      {Analysis, AsLine},
      {Analysis, WithViews, "actionPreviousHead", tr("&Previous head"), "left", "[",
       [](W& w) { w.stepHead(-1); }},
      {Analysis, WithViews, "actionNextHead", tr("&Next head"), "right", "]", [](W& w) { w.stepHead(1); }},
      {Analysis, WithStudy, "actionStar", tr("&Mark or unmark the head"), "star", "S", &W::toggleStar},
      {Analysis, WithStudy, "actionNote", tr("N&ote on the head"), "", "N", &W::writeNote},
      {Analysis, WithStudy, "actionFilter", tr("&Filter heads"), "filter", K::Find, &W::filterHeads},

      {Window, Always, "nextTab", tr("&Next tab"), "", "Ctrl+PgDown", [](W& w) { w.stepTab(1); }},
      {Window, Always, "previousTab", tr("&Previous tab"), "", "Ctrl+PgUp", [](W& w) { w.stepTab(-1); }},

      {Help, Always, "actionTour", tr("Take the &tour"), "play", "", &W::takeTour},
      {Help, Always, "actionShortcuts", tr("&Shortcuts"), "question", "F1; ?", &W::showShortcuts},
      {Help, Always, "actionHelp", tr("What the &numbers mean"), "", "Shift+F1",
       [](W& w) { w.m_helpDock->bringForward(); }},
      {Help, Always, "actionAbout", tr("&About Plastiscope"), "", "", &W::showAbout},
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
            [&kind](MainWindow& w) { w.measure(kind); }});
  for (QAction* action : m_themes->actions()) action->setCheckable(true);
  command(("theme-" + m_session.settings().theme).c_str())->setChecked(true);
  for (const char* name : {"actionFullScreen", "actionAligned"}) command(name)->setCheckable(true);
  command("actionCopy")->setToolTip(tr("The figure as PNG, SVG and PDF, and its numbers as CSV"));
  fillThemeMenu();
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
  const Selection* selection = currentSelection();
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
    if (!action->isEnabled()) continue;
    const QString text = withoutMnemonic(action->text());
    commands.push_back({menu == Menu::Theme     ? tr("Theme: %1").arg(text.toLower())
                        : menu == Menu::Measure ? tr("Measure %1").arg(text)
                                                : text,
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

// Switches between aligned and binned (as in the thesis), for this tab and tabs opened later.
void MainWindow::togglePlasticity() {
  const ApKind kind = otherPlasticity(currentSelection()->value().plasticity);
  currentSelection()->setPlasticity(kind);
  m_session.settings().plasticity = kind;
  m_session.saveSettings();
}

void MainWindow::showPlasticity() {
  QAction* action = command("actionAligned");
  const Selection* selection = currentSelection();
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

void MainWindow::stepTab(int by) {
  if (m_tabs->count() > 0)
    m_tabs->setCurrentIndex((m_tabs->currentIndex() + by + m_tabs->count()) % m_tabs->count());
}

void MainWindow::writeNote() {
  m_notesDock->bringForward();
  m_notes->findChild<QWidget*>(QStringLiteral("headNote"))->setFocus();
}

void MainWindow::filterHeads() {
  currentPage()->findChild<QLineEdit*>(QStringLiteral("headFilter"))->setFocus();
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
  for (const RecentFile& file : m_session.settings().recentFiles) {
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
  for (PanelDock* dock : {m_libraryDock, m_detailsDock, m_helpDock, m_notesDock})
    menu.addAction(dock->toggleViewAction());
  if (!currentPanels()) return;
  menu.addSeparator();
  menu.addActions(currentPanels()->panelActions());
}

void MainWindow::fillThemeMenu() {
  submenu("themes").addActions(m_themes->actions());
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

namespace {

using ShortcutRows = std::vector<std::pair<QString, QString>>;

// Adds a menu's shortcuts and descriptions as rows to a column of the sheet.
void addShortcuts(QGridLayout& column, const QString& title, const ShortcutRows& rows, QWidget* page) {
  if (rows.empty()) return;
  int row = column.rowCount();
  if (row > 1) column.setRowMinimumHeight(row++, 8);
  column.addWidget(styledLabel(title, "strong", page), row++, 0, 1, 2);
  for (const auto& [keys, text] : rows) {
    column.addWidget(styledLabel(keys, "key", page), row, 0, Qt::AlignLeft | Qt::AlignVCenter);
    column.addWidget(styledLabel(text, nullptr, page), row++, 1);
  }
}

}  // namespace

ShortcutRows MainWindow::shortcutsOf(Menu menu) const {
  ShortcutRows rows;
  for (const auto& [action, place, offer] : m_commands) {
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts())
      if (!key.isEmpty()) keys << key.toString(QKeySequence::NativeText);
    if (place == menu && !keys.isEmpty())
      rows.emplace_back(keys.join(QStringLiteral(" / ")), withoutMnemonic(action->text()));
  }
  return rows;
}

// One group per menu and one for other shortcuts, in two columns of similar height.
void MainWindow::showShortcuts() {
  QDialog sheet(this);
  sheet.setObjectName(QStringLiteral("shortcutSheet"));
  sheet.setWindowTitle(tr("Shortcuts"));
  auto* page = new QWidget;
  auto *left = new QGridLayout, *right = new QGridLayout;
  for (QGridLayout* column : {left, right}) {
    column->setHorizontalSpacing(14);
    column->setVerticalSpacing(3);
    column->setColumnStretch(1, 1);
  }
  for (const auto& [menu, of] : m_menus) {
    const bool first = menu == Menu::File || menu == Menu::Edit;
    addShortcuts(first ? *left : *right, withoutMnemonic(of->title()), shortcutsOf(menu), page);
  }
  addShortcuts(*left, tr("In the views"),
               {{tr("Arrows, Home, End"), tr("Move through heads in the grid, rows in the table")},
                {tr("Shift and drag"), tr("Select rows of the plane by drawing around them")},
                {tr("Wheel, drag"), tr("Zoom and pan in the plane and the profile")},
                {tr("Ctrl and wheel, drag"), tr("The same in a matrix, for all columns of the row")},
                {tr("Double click"), tr("Show a whole picture again")}},
               page);
  for (QGridLayout* column : {left, right}) column->setRowStretch(column->rowCount(), 1);
  rowIn(page, {left, Gap{36}, right}, {.margins = {}, .spacing = 0});
  auto* area = new QScrollArea(&sheet);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setWidget(page);
  area->viewport()->setAutoFillBackground(false);
  page->setAutoFillBackground(false);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &sheet);
  buttons->button(QDialogButtonBox::Close)->setIcon({});
  connect(buttons, &QDialogButtonBox::rejected, &sheet, &QDialog::reject);
  columnIn(&sheet, {{area, 1}, buttons}, {.margins = {20, 16, 20, 14}, .spacing = 14});
  const QSize around(20 + 20 + 16, 16 + 14 + 14 + buttons->sizeHint().height() + 4);
  resizeOnScreen(sheet, page->sizeHint() + around);
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
