#include "app/desktop/palette_commands.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QPointer>

#include "core/views/metric_info.h"
#include "widgets/pages/model_page.h"
#include "widgets/panels/view_panel.h"

namespace plastiscope {

namespace {

// Details views are pages of one dock; others have a dock of this name.
ViewPanel* panelOf(const ModelPage& page, const QString& id) {
  if (auto* panel = page.findChild<ViewPanel*>(id)) return panel;
  const auto* dock = page.findChild<QWidget*>(id);
  return dock ? dock->findChild<ViewPanel*>() : nullptr;
}

}  // namespace

std::vector<Command> viewCommands(ModelPage& page) {
  std::vector<Command> commands;
  for (const ViewSpec& view : viewCatalogue()) {
    const ViewPanel* panel = panelOf(page, view.id);
    if (panel == nullptr) continue;
    const auto add = [&](const QString& title, std::function<void()> run) {
      commands.push_back(
          {title, CommandPalette::tr("view"), [shown = QPointer(&page), id = view.id, run = std::move(run)] {
             if (shown == nullptr) return;  // closed while the palette was open
             shown->showView(id);           // shows the changed option's view
             if (run) run();
           }});
    };
    const auto addOption = [&](QString text, std::function<void()> run) {
      add(QStringLiteral("%1: %2").arg(view.title, text.remove(QLatin1Char('&'))), std::move(run));
    };
    add(CommandPalette::tr("Show %1").arg(view.title), {});
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

std::vector<Command> headCommands(const WindowTabs& tabs) {
  std::vector<Command> commands;
  const auto analysis = tabs.analysis();
  Selection* selection = analysis ? tabs.selection() : nullptr;
  if (selection == nullptr) return commands;
  for (const MetricInfo& metric : metricsOf(requiredTable(*analysis, "heads"))) {
    commands.push_back({CommandPalette::tr("Colour by %1").arg(QString::fromStdString(metric.title)),
                        CommandPalette::tr("metric"),
                        [selection, column = metric.column] { selection->setMetric(column); },
                        QString::fromStdString(metric.column)});
  }
  for (const HeadName& head : headsOf(*analysis)) {
    commands.push_back({CommandPalette::tr("L%1 H%2").arg(head.layer).arg(head.head),
                        CommandPalette::tr("head"), [selection, head] { selection->setHead(head); }});
  }
  return commands;
}

}  // namespace plastiscope
