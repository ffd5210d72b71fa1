// Menus of the window.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/desktop/main_window.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/help_panel.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/notes_panel.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/pages/settings_dialog.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {
QAction* MainWindow::addCommand(QMenu* menu, const QString& text, const QString& icon,
                                const QKeySequence& key, std::function<void()> run, Needs needs) {
  auto* action = new QAction(icon.isEmpty() ? QIcon() : lineIcon(icon), text, this);
  action->setShortcut(key);
  connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
  menu->addAction(action);
  addAction(action);
  m_actions.append(action);
  if (needs == Needs::Study) m_studyActions.append(action);
  if (needs == Needs::Views) m_viewActions.append(action);
  if (needs == Needs::Picture) m_pictureActions.append(action);
  return action;
}

void MainWindow::buildMenus() {
  buildFileMenu(menuBar()->addMenu(tr("&File")));
  buildEditMenu(menuBar()->addMenu(tr("&Edit")));
  buildViewMenu(menuBar()->addMenu(tr("&View")));
  buildCaptureMenu(menuBar()->addMenu(tr("&Capture")));
  buildAnalysisMenu(menuBar()->addMenu(tr("&Analysis")));
  QMenu* window = menuBar()->addMenu(tr("&Window"));
  connect(window, &QMenu::aboutToShow, this, [this, window] { fillWindowMenu(window); });
  fillWindowMenu(window);
  buildHelpMenu(menuBar()->addMenu(tr("&Help")));
}

void MainWindow::buildFileMenu(QMenu* file) {
  addCommand(file, tr("&Open …"), "open", QKeySequence::Open, [this] {
    openDialog();
  })->setObjectName("actionOpen");
  addCommand(file, tr("Open the &example"), "play", {}, [this] {
    openExample();
  })->setObjectName("actionExample");
  QMenu* recent = file->addMenu(tr("Open &recent"));
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
  file->addSeparator();
  buildSessionMenu(file);
  file->addSeparator();
  addCommand(file, tr("Co&mpare …"), "chart", QKeySequence(tr("Ctrl+Shift+N")), [this] {
    compareWithCurrent({});
  })->setObjectName("actionCompare");
  addCommand(file, tr("&Benchmarks"), "chart", QKeySequence(tr("Ctrl+Shift+B")), [this] {
    SessionTab start;
    if (ModelPage* page = currentPage()) start.compared.push_back(page->file());
    if (ComparePage* page = currentCompare()) start.compared = page->model().files();
    openBenchmarks(start);
  })->setObjectName("actionBenchmarks");
  addCommand(file, tr("&Welcome page"), "home", QKeySequence(tr("Ctrl+T")), [this] { showWelcome(); });
  file->addSeparator();
  addCommand(
      file, tr("&Export figure …"), "export", QKeySequence(tr("Ctrl+E")), [this] { exportDialog(); },
      Needs::Picture)
      ->setObjectName("actionExport");
  addCommand(
      file, tr("Save tables as &CSV …"), {}, {}, [this] { exportTables(); }, Needs::Study);
  file->addSeparator();
  addCommand(file, tr("&Close tab"), {}, QKeySequence(tr("Ctrl+W")),
             [this] { closeTab(m_tabs->currentIndex()); });
  addCommand(file, tr("&Quit"), {}, QKeySequence(tr("Ctrl+Q")), [this] { close(); });
}

void MainWindow::buildEditMenu(QMenu* edit) {
  m_undo = addCommand(edit, tr("&Undo"), "undo", QKeySequence::Undo, [this] {
    if (currentSelection()) currentSelection()->undo();
  });
  m_redo = addCommand(edit, tr("&Redo"), "redo", QKeySequence::Redo, [this] {
    if (currentSelection()) currentSelection()->redo();
  });
  edit->addSeparator();
  m_copy = addCommand(
      edit, tr("Copy &picture"), "copy", QKeySequence(tr("Ctrl+Shift+C")), [this] { copyPicture(); },
      Needs::Picture);
  m_copy->setToolTip(tr("The figure as PNG, SVG and PDF, and its numbers as CSV"));
  addCommand(edit, tr("&Search …"), "search", QKeySequence(tr("Ctrl+K")), [this] {
    m_palette->open();
  })->setObjectName("actionSearch");

  edit->addSeparator();
  addCommand(edit, tr("Se&ttings …"), "gear", QKeySequence(tr("Ctrl+,")), [this] {
    showSettings();
  })->setObjectName("actionSettings");
}

void MainWindow::buildViewMenu(QMenu* view) {
  QMenu* panels = view->addMenu(tr("&Panels"));
  connect(panels, &QMenu::aboutToShow, this, [this, panels] { fillPanelMenu(panels); });
  addCommand(
      view, tr("&Reset layout"), "reset", {},
      [this] {
        if (currentPage()) currentPage()->resetLayout();
        if (currentCompare()) currentCompare()->resetLayout();
      },
      Needs::Views);
  QMenu* themes = view->addMenu(tr("&Theme"));
  m_themes = new QActionGroup(this);
  const std::pair<const char*, QString> choices[] = {
      {"system", tr("Like the &system")}, {"light", tr("&Light")}, {"dark", tr("&Dark")}};
  for (const auto& [name, title] : choices) {
    QAction* action =
        addCommand(themes, title, {}, {}, [this, theme = QString::fromLatin1(name)] { setTheme(theme); });
    action->setObjectName(QStringLiteral("theme-%1").arg(QLatin1String(name)));
    action->setCheckable(true);
    action->setChecked(m_session.settings().theme == name);
    m_themes->addAction(action);
  }
  addCommand(
      view, tr("&Maximise or restore the panel"), "maximise", QKeySequence(Qt::Key_F10),
      [this] {
        if (currentPage()) currentPage()->maximiseCurrent();
        if (currentCompare()) currentCompare()->maximiseCurrent();
      },
      Needs::Views);
  addCommand(view, tr("&Next panel"), {}, QKeySequence(Qt::Key_F6), [this] { focusPanel(1); });
  addCommand(view, tr("Pre&vious panel"), {}, QKeySequence(Qt::SHIFT | Qt::Key_F6),
             [this] { focusPanel(-1); });
  QAction* full = addCommand(view, tr("&Full screen"), {}, QKeySequence(Qt::Key_F11),
                             [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  full->setCheckable(true);
}

void MainWindow::buildCaptureMenu(QMenu* capture) {
  addCommand(capture, tr("&New capture …"), "capture", QKeySequence::New, [this] {
    captureDialog();
  })->setObjectName("actionCapture");
  addCommand(capture, tr("Search models and captures &again"), "reset", QKeySequence::Refresh,
             [this] { m_session.refreshLibrary(); });
}

void MainWindow::buildAnalysisMenu(QMenu* analysis) {
  addCommand(
      analysis, tr("&Analyse with other settings …"), "gear", QKeySequence(tr("Ctrl+Shift+A")),
      [this] { analysisDialog(); }, Needs::Study)
      ->setObjectName("actionAnalyse");
  addCommand(
      analysis, tr("&Locate the capture …"), "search", {}, [this] { locateCaptureDialog(); }, Needs::Study)
      ->setObjectName("actionLocateCapture");
  analysis->addSeparator();
  const auto step = [this](int by) {
    const auto head = neighbourHead(by);
    if (head && currentSelection()) currentSelection()->setHead(*head);
  };
  addCommand(
      analysis, tr("&Previous head"), "left", QKeySequence(Qt::Key_BracketLeft), [step] { step(-1); },
      Needs::Views);
  addCommand(
      analysis, tr("&Next head"), "right", QKeySequence(Qt::Key_BracketRight), [step] { step(1); },
      Needs::Views);
  addCommand(
      analysis, tr("&Mark or unmark the head"), "star", QKeySequence(Qt::Key_S),
      [this] {
        ModelPage* page = currentPage();
        if (page && page->selection().value().head)
          page->selection().toggleMark(*page->selection().value().head);
      },
      Needs::Study);
  addCommand(
      analysis, tr("N&ote on the head"), "", QKeySequence(Qt::Key_N),
      [this] {
        m_notesDock->show();
        m_notesDock->raise();
        m_notes->findChild<QWidget*>(QStringLiteral("headNote"))->setFocus();
      },
      Needs::Study);
  addCommand(
      analysis, tr("&Filter heads"), "filter", QKeySequence::Find,
      [this] {
        if (auto* filter =
                currentPage() ? currentPage()->findChild<QLineEdit*>(QStringLiteral("headFilter")) : nullptr)
          filter->setFocus();
      },
      Needs::Study);
}

void MainWindow::buildHelpMenu(QMenu* help) {
  QAction* sheet =
      addCommand(help, tr("&Shortcuts"), "question", QKeySequence(Qt::Key_F1), [this] { showShortcuts(); });
  sheet->setShortcuts({QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)});
  addCommand(help, tr("What the &numbers mean"), {}, QKeySequence(tr("Shift+F1")), [this] {
    m_helpDock->show();
    m_helpDock->raise();
  });
  addCommand(help, tr("&About Plastiscope"), {}, {}, [this] { showAbout(); });
  addCommand(help, tr("About &Qt"), {}, {}, [] { QApplication::aboutQt(); });
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
  if (menu->isEmpty()) menu->addAction(tr("nothing yet"))->setEnabled(false);
}

void MainWindow::fillPanelMenu(QMenu* menu) {
  menu->clear();
  for (PanelDock* dock : {m_libraryDock, m_cardDock, m_helpDock, m_notesDock})
    menu->addAction(dock->toggleViewAction());
  if (!currentSelection()) return;
  menu->addSeparator();
  menu->addActions(currentPage() ? currentPage()->panelActions() : currentCompare()->panelActions());
}

void MainWindow::fillWindowMenu(QMenu* menu) {
  menu->clear();
  const auto go = [this](int by) {
    if (m_tabs->count() > 0)
      m_tabs->setCurrentIndex((m_tabs->currentIndex() + by + m_tabs->count()) % m_tabs->count());
  };
  const auto named = [this](const char* name) { return findChild<QAction*>(QString::fromLatin1(name)); };
  if (!named("nextTab")) {
    addCommand(menu, tr("&Next tab"), {}, QKeySequence(tr("Ctrl+PgDown")), [go] {
      go(1);
    })->setObjectName("nextTab");
    addCommand(menu, tr("&Previous tab"), {}, QKeySequence(tr("Ctrl+PgUp")), [go] {
      go(-1);
    })->setObjectName("previousTab");
  }
  menu->addAction(named("nextTab"));
  menu->addAction(named("previousTab"));
  menu->addSeparator();
  for (int i = 0; i < m_tabs->count(); ++i) {
    QAction* action = menu->addAction(m_tabs->tabIcon(i), m_tabs->tabText(i));
    action->setCheckable(true);
    action->setChecked(i == m_tabs->currentIndex());
    connect(action, &QAction::triggered, this, [this, i] { m_tabs->setCurrentIndex(i); });
  }
}

void MainWindow::showShortcuts() {
  QDialog sheet(this);
  sheet.setWindowTitle(tr("Shortcuts"));
  auto* text = new QLabel(shortcutSheet(m_actions), &sheet);
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
  box.setText(aboutText());
  box.exec();
}

}  // namespace plastiscope
