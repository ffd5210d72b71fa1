// Tool bar and command palette of the window.
#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QToolBar>
#include <QToolButton>

#include "app/desktop/main_window.h"
#include "app/desktop/view_commands.h"
#include "core/views/metric_info.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/head_stepper.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace plastiscope {
namespace {

constexpr int kMetricWidth = 190, kSearchWidth = 300;

QString plain(QString text) {
  return text.remove(QLatin1Char('&'));
}

QLabel* barLabel(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setProperty("muted", true);
  label->setContentsMargins(4, 0, 4, 0);
  return label;
}

}  // namespace

void MainWindow::buildToolBar() {
  QToolBar* bar = addToolBar(tr("Tool bar"));
  bar->setObjectName(QStringLiteral("mainToolBar"));
  bar->setMovable(false);
  bar->setIconSize({16, 16});
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  const std::pair<const char*, QString> named[] = {
      {"actionOpen", tr("Open")}, {"actionCapture", tr("Capture")}, {"actionExport", tr("Export")}};
  for (const auto& [name, title] : named) {
    auto* action = findChild<QAction*>(QString::fromLatin1(name));
    action->setIconText(title);
    bar->addAction(action);
  }
  bar->addSeparator();
  bar->addAction(m_undo);
  bar->addAction(m_redo);
  for (QAction* action : {m_undo, m_redo}) {
    static_cast<QToolButton*>(bar->widgetForAction(action))->setToolButtonStyle(Qt::ToolButtonIconOnly);
  }
  bar->addSeparator();
  m_metric = new QComboBox(bar);
  m_metric->setObjectName(QStringLiteral("metricBox"));
  m_metric->setMinimumWidth(kMetricWidth);
  m_metric->setMaxVisibleItems(24);
  m_metric->setToolTip(tr("Metric that colours the head grid"));
  m_metric->setAccessibleName(m_metric->toolTip());
  m_metric->setFocusPolicy(Qt::TabFocus);
  connect(m_metric, &QComboBox::activated, this, [this] {
    if (currentSelection()) currentSelection()->setMetric(m_metric->currentData().toString().toStdString());
  });
  bar->addWidget(barLabel(tr("Metric"), bar));
  bar->addWidget(m_metric);
  bar->addSeparator();
  m_stepper = new HeadStepper(bar);
  bar->addWidget(barLabel(tr("Head"), bar));
  bar->addWidget(m_stepper);
  connect(m_stepper, &HeadStepper::stepped, this, [this](int by) {
    const auto head = neighbourHead(by);
    if (head && currentSelection()) currentSelection()->setHead(*head);
  });
  connect(m_stepper, &HeadStepper::typed, this, [this](HeadName head) {
    if (!currentSelection()) return;
    const auto heads = currentHeads();
    if (std::find(heads.begin(), heads.end(), head) != heads.end())
      currentSelection()->setHead(head);
    else
      say(Message::Kind::Info, tr("%1 was not captured.").arg(QString::fromStdString(head.text())), 5000);
  });
  connect(m_stepper, &HeadStepper::starToggled, this, [this] {
    Selection* selection = currentSelection();
    if (selection && selection->value().head) selection->toggleMark(*selection->value().head);
  });
  auto* space = new QWidget(bar);
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  m_palette = new CommandPalette([this] { return paletteCommands(); }, bar);
  m_palette->setFixedWidth(kSearchWidth);
  m_palette->setPlaceholderText(tr("Search actions, heads, files   Ctrl+K"));
  bar->addWidget(m_palette);
  // A tool bar takes its buttons out of the keyboard's way.
  for (QToolButton* button : bar->findChildren<QToolButton*>()) button->setFocusPolicy(Qt::TabFocus);
}

std::vector<Command> MainWindow::paletteCommands() {
  std::vector<Command> commands;
  for (QAction* action : m_actions) {
    if (!action->isEnabled()) continue;
    const QString text = plain(action->text());
    commands.push_back({action->actionGroup() == m_themes ? tr("Theme: %1").arg(text.toLower()) : text,
                        action->shortcut().toString(QKeySequence::NativeText),
                        [action] { action->trigger(); }});
  }
  QList<PanelDock*> panels = {m_libraryDock, m_cardDock, m_helpDock, m_notesDock};
  if (const ComparePage* compare = currentCompare()) panels += compare->findChildren<PanelDock*>();
  for (PanelDock* panel : panels) {
    commands.push_back({tr("Show %1").arg(panel->windowTitle()), tr("panel"), [panel = QPointer(panel)] {
                          if (panel == nullptr) return;  // closed while the palette was open
                          panel->show();
                          panel->raise();
                        }});
  }
  if (ModelPage* page = currentPage()) {
    for (Command& command : viewCommands(*page)) commands.push_back(std::move(command));
  }
  const auto analysis = currentAnalysis();
  if (Selection* selection = analysis ? currentSelection() : nullptr) {
    for (const MetricInfo& metric : metricsOf(requiredTable(*analysis, "heads"))) {
      commands.push_back({tr("Colour by %1").arg(QString::fromStdString(metric.title)), tr("metric"),
                          [selection, column = metric.column] { selection->setMetric(column); }});
    }
    for (const HeadName& head : headsOf(*analysis)) {
      commands.push_back({tr("L%1 H%2").arg(head.layer).arg(head.head), tr("head"),
                          [selection, head] { selection->setHead(head); }});
    }
  }
  for (const RecentFile& recent : m_session.settings().recentFiles) {
    if (recent.isSession())
      commands.push_back({tr("Open session %1").arg(fileText(recent.path.stem())),
                          QString::fromStdString(recent.note),
                          [this, path = recent.path] { openSession(path); }});
  }
  for (const EntryKind kind : {EntryKind::Capture, EntryKind::Analysis, EntryKind::Model}) {
    for (const LibraryEntry& entry : m_session.library().entries(kind)) {
      commands.push_back({entry.name, entry.summary.section(QLatin1Char(','), 0, 0),
                          [this, path = entry.path] { openPaths({path}); }});
    }
  }
  return commands;
}

}  // namespace plastiscope
