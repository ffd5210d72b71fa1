// Tool bar and command palette of the window.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QStandardItemModel>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>
#include <map>

#include "app/desktop/main_window.h"
#include "core/base/error.h"
#include "core/views/metric_info.h"
#include "widgets/export/thesis_figures.h"
#include "widgets/pages/command_palette.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/panels/view_panel.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"

namespace plastiscope {

// Stepper < L12 H6 > with a star and an editable name.
class HeadStepper : public QWidget {
 public:
  struct Actions {
    std::function<void(int by)> step;           // -1, +1
    std::function<void(HeadName head)> choose;  // may be a missing head
    std::function<void()> toggleStar;
  };
  HeadStepper(Actions actions, QWidget* parent)
      : QWidget(parent),
        m_actions(std::move(actions)),
        m_row(rowIn(this, {}, {.margins = {}, .spacing = 2})),
        m_name(named("headName", new QLineEdit(this))) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_name->setAlignment(Qt::AlignCenter);
    m_name->setFixedWidth(84);
    explain(*m_name, MainWindow::tr("Chosen head"),
            MainWindow::tr("The chosen head; type another, such as L12H6"));
    addButton("left", MainWindow::tr("Previous head ([)"), [this] { m_actions.step(-1); });
    m_row->addWidget(m_name);
    addButton("right", MainWindow::tr("Next head (])"), [this] { m_actions.step(1); });
    m_star = addButton("star", MainWindow::tr("Mark this head (S)"), [this] { m_actions.toggleStar(); });
    m_star->setObjectName(QStringLiteral("headStar"));
    connect(m_name, &QLineEdit::returnPressed, this, &HeadStepper::chooseTyped);
    show(std::nullopt, false);
  }

  void show(std::optional<HeadName> head, bool marked) {  // nullopt: disabled
    setEnabled(head.has_value());
    m_name->setText(head ? QStringLiteral("L%1 H%2").arg(head->layer).arg(head->head) : QStringLiteral("–"));
    m_star->setIcon(marked ? lineIcon(QStringLiteral("star-filled"), QStringLiteral("selection"))
                           : lineIcon(QStringLiteral("star")));
  }
  using QWidget::show;

 private:
  QToolButton* addButton(const char* icon, const QString& tip, const std::function<void()>& run) {
    auto* button = iconButton(QLatin1String(icon), 14, tip, this);
    connect(button, &QToolButton::clicked, this, run);
    m_row->addWidget(button);
    return button;
  }

  void chooseTyped() {
    try {
      const auto heads = parseHeadList(m_name->text().remove(QLatin1Char(' ')).toUpper().toStdString());
      if (heads.size() != 1) return m_name->selectAll();
      m_name->clearFocus();
      m_actions.choose(heads.front());
    } catch (const Error&) {
      m_name->selectAll();
    }
  }

  Actions m_actions;
  QHBoxLayout* m_row;
  QLineEdit* m_name;
  QToolButton* m_star = nullptr;
};

namespace {

constexpr int kMetricWidth = 190, kSearchWidth = 300;
constexpr int kBesideList = 24;  // scroll bar and frame

QLabel* barLabel(const QString& text, QWidget* parent) {
  auto* label = styledLabel(text, "muted", parent);
  label->setContentsMargins(4, 0, 4, 0);
  return label;
}

// Details views are pages of one dock; others have a dock of this name.
ViewPanel* panelOf(const ModelPage& page, const QString& id) {
  if (auto* panel = page.findChild<ViewPanel*>(id)) return panel;
  const auto* dock = page.findChild<QWidget*>(id);
  return dock ? dock->findChild<ViewPanel*>() : nullptr;
}

// Palette entries for the views of a model tab: each view, and the options in its title bar. Valid until the
// page is destroyed.
std::vector<Command> viewCommands(ModelPage& page) {
  std::vector<Command> commands;
  for (const ViewSpec& view : viewCatalogue()) {
    const ViewPanel* panel = panelOf(page, view.id);
    if (panel == nullptr) continue;
    const auto add = [&](const QString& title, std::function<void()> run) {
      commands.push_back(
          {title, MainWindow::tr("view"), [shown = QPointer(&page), id = view.id, run = std::move(run)] {
             if (shown == nullptr) return;  // closed while the palette was open
             shown->showView(id);           // shows the changed option's view
             if (run) run();
           }});
    };
    const auto addOption = [&](QString text, std::function<void()> run) {
      add(QStringLiteral("%1: %2").arg(view.title, text.remove(QLatin1Char('&'))), std::move(run));
    };
    add(MainWindow::tr("Show %1").arg(view.title), {});
    for (QWidget* option : panel->options()) {
      if (!option->isEnabled()) continue;
      if (auto* button = qobject_cast<QAbstractButton*>(option)) {
        addOption(button->text().isEmpty() ? button->toolTip() : button->text(),
                  [button = QPointer(button)] { button->click(); });
      } else if (auto* choice = qobject_cast<QComboBox*>(option)) {
        for (int i = 0; i < choice->count(); ++i) {
          addOption(choice->itemText(i), [choice = QPointer(choice), i] {
            choice->setCurrentIndex(i);
            Q_EMIT choice->activated(i);
          });
        }
      }
    }
    for (const QWidget* part : panel->findChildren<QWidget*>()) {
      for (QAction* action : part->actions()) {
        if (action->isCheckable() && action->isEnabled() && !action->text().isEmpty())
          addOption(action->text(), [action = QPointer(action)] { action->trigger(); });
      }
    }
  }
  return commands;
}

}  // namespace

void MainWindow::buildToolBar() {
  QToolBar* bar = addToolBar(tr("Tool bar"));
  bar->setObjectName(QStringLiteral("mainToolBar"));
  bar->setMovable(false);
  bar->setIconSize({16, 16});
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  // Shown with their names in the bar; others are icons only.
  const std::pair<const char*, QString> actions[] = {{"actionOpen", tr("Open")},
                                                     {"actionCapture", tr("Capture")},
                                                     {"actionExport", tr("Export")},
                                                     {"actionUndo", {}},
                                                     {"actionRedo", {}}};
  for (const auto& [name, title] : actions) {
    QAction* action = command(name);
    if (action == command("actionUndo")) bar->addSeparator();
    bar->addAction(action);
    if (title.isEmpty())
      static_cast<QToolButton*>(bar->widgetForAction(action))->setToolButtonStyle(Qt::ToolButtonIconOnly);
    else
      action->setIconText(title);
  }
  bar->addSeparator();
  m_metric = named("metricBox", new QComboBox(bar));
  m_metric->setMinimumWidth(kMetricWidth);
  m_metric->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_metric->setMaxVisibleItems(24);
  explain(*m_metric, tr("Metric that colours the head grid"));
  m_metric->setFocusPolicy(Qt::TabFocus);
  connect(m_metric, &QComboBox::activated, this, [this] {
    if (currentSelection()) currentSelection()->setMetric(m_metric->currentData().toString().toStdString());
  });
  bar->addWidget(barLabel(tr("Metric"), bar));
  bar->addWidget(m_metric);
  QAction* aligned = command("actionAligned");
  aligned->setIconText(tr("Aligned"));
  bar->addAction(aligned);
  static_cast<QToolButton*>(bar->widgetForAction(aligned))->setToolButtonStyle(Qt::ToolButtonTextOnly);
  bar->addSeparator();
  m_stepper = new HeadStepper({[this](int by) { stepHead(by); }, [this](HeadName head) { chooseHead(head); },
                               [this] { toggleStar(); }},
                              bar);
  bar->addWidget(barLabel(tr("Head"), bar));
  bar->addWidget(m_stepper);
  auto* space = new QWidget(bar);
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  m_palette = new CommandPalette([this] { return paletteCommands(); }, bar);
  m_palette->setFixedWidth(kSearchWidth);
  m_palette->setPlaceholderText(tr("Search actions, heads, files   Ctrl+K"));
  bar->addWidget(m_palette);
  // Tool bars disable keyboard focus of their buttons: restores it.
  for (QToolButton* button : bar->findChildren<QToolButton*>()) button->setFocusPolicy(Qt::TabFocus);
}

void MainWindow::chooseHead(HeadName head) {
  if (!currentSelection()) return;
  const auto heads = currentHeads();
  if (std::ranges::find(heads, head) != heads.end())
    currentSelection()->setHead(head);
  else
    say(Message::Kind::Info, tr("%1 was not captured.").arg(QString::fromStdString(head.text())), 5000);
}

void MainWindow::showHead(std::optional<HeadName> head, bool marked) {
  m_stepper->show(head, marked);
}

std::vector<Command> MainWindow::paletteCommands() {
  std::vector<Command> commands = actionCommands();
  QList<PanelDock*> panels = {m_libraryDock, m_detailsDock, m_helpDock, m_notesDock};
  if (ComparePage* compare = currentCompare()) panels += compare->panels().docks();
  for (PanelDock* panel : panels) {
    commands.push_back({tr("Show %1").arg(panel->windowTitle()), tr("panel"), [panel = QPointer(panel)] {
                          if (panel != nullptr)
                            panel->bringForward();  // not closed while the palette was open
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
  for (const ThesisFigure& figure : thesisFigures()) {
    const QString number = QString::fromLatin1(figure.number);
    commands.push_back({tr("Thesis: %1").arg(QString::fromUtf8(figure.title)),
                        number.isEmpty() ? QString::fromLatin1(figure.id) : tr("figure %1").arg(number),
                        [this, id = std::string(figure.id)] { openThesis(id); }});
  }
  for (const EntryKind kind :
       {EntryKind::Capture, EntryKind::Analysis, EntryKind::Model, EntryKind::Published}) {
    for (const LibraryEntry& entry : m_session.library().entries(kind)) {
      commands.push_back({entry.name, entry.summary.section(QLatin1Char(','), 0, 0),
                          [this, path = entry.path] { openPaths({path}); }});
    }
  }
  return commands;
}

void MainWindow::fillMetrics() {
  const auto analysis = currentAnalysis();
  if (analysis == m_metricsOf && m_metric->count() > 0) return;
  m_metricsOf = analysis;
  m_metric->clear();
  if (!analysis) return;
  std::vector<MetricInfo> metrics = metricsOf(requiredTable(*analysis, "heads"));
  std::map<std::string, std::size_t> order;  // order of the groups by first occurrence
  for (const MetricInfo& metric : metrics) order.emplace(metric.group, order.size());
  std::stable_sort(metrics.begin(), metrics.end(), [&order](const MetricInfo& a, const MetricInfo& b) {
    return order.at(a.group) < order.at(b.group);
  });
  std::string group;
  for (const MetricInfo& metric : metrics) {
    if (metric.group != group) {
      group = metric.group;
      m_metric->addItem(QString::fromStdString(group));
      auto* heading = static_cast<QStandardItemModel*>(m_metric->model())->item(m_metric->count() - 1);
      heading->setFlags(Qt::NoItemFlags);
      heading->setData(currentTheme()[QStringLiteral("muted")], Qt::ForegroundRole);
    }
    m_metric->addItem(QStringLiteral("  ") + QString::fromStdString(metric.title),
                      QString::fromStdString(metric.column));
    m_metric->setItemData(
        m_metric->count() - 1,
        QString::fromStdString(metric.meaning + (metric.caveat.empty() ? "" : " " + metric.caveat)),
        Qt::ToolTipRole);
  }
  m_metric->view()->setMinimumWidth(m_metric->view()->sizeHintForColumn(0) + kBesideList);
}

}  // namespace plastiscope
