#include "app/desktop/view_commands.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QPointer>

#include "app/desktop/view_catalogue.h"
#include "widgets/pages/model_page.h"

namespace plastiscope {
namespace {

QString words(const char* text) {
  return QCoreApplication::translate("ViewCommands", text);
}

// A view of the details is a page of theirs; the others fill a dock of this name.
ViewPanel* panelOf(const ModelPage& page, const QString& id) {
  if (auto* panel = page.findChild<ViewPanel*>(id)) return panel;
  const auto* dock = page.findChild<QWidget*>(id);
  return dock ? dock->findChild<ViewPanel*>() : nullptr;
}

class Offers {
 public:
  Offers(ModelPage& page, const ViewSpec& view, std::vector<Command>& into)
      : m_page(page), m_view(view), m_into(into) {}

  void option(QWidget* widget) {
    if (!widget->isEnabled()) return;
    if (auto* button = qobject_cast<QAbstractButton*>(widget)) {
      add(button->text().isEmpty() ? button->toolTip() : button->text(),
          [button = QPointer(button)] { button->click(); });
    } else if (auto* choice = qobject_cast<QComboBox*>(widget)) {
      for (int i = 0; i < choice->count(); ++i) {
        add(choice->itemText(i), [choice = QPointer(choice), i] {
          choice->setCurrentIndex(i);
          Q_EMIT choice->activated(i);
        });
      }
    }
  }

  void action(QAction* action) {
    if (action->isCheckable() && action->isEnabled() && !action->text().isEmpty())
      add(action->text(), [action = QPointer(action)] { action->trigger(); });
  }

 private:
  // The view comes to the front: what was switched is seen.
  void add(QString text, std::function<void()> run) {
    text.remove(QLatin1Char('&'));
    m_into.push_back({QStringLiteral("%1: %2").arg(m_view.title, text), words("view"),
                      [page = QPointer(&m_page), id = m_view.id, run = std::move(run)] {
                        if (page == nullptr) return;  // closed while the palette was open
                        page->showView(id);
                        run();
                      }});
  }

  ModelPage& m_page;
  const ViewSpec& m_view;
  std::vector<Command>& m_into;
};

}  // namespace

std::vector<Command> viewCommands(ModelPage& page) {
  std::vector<Command> commands;
  for (const ViewSpec& view : viewCatalogue()) {
    const ViewPanel* panel = panelOf(page, view.id);
    if (panel == nullptr) continue;
    commands.push_back(
        {words("Show %1").arg(view.title), words("view"), [page = QPointer(&page), id = view.id] {
           if (page != nullptr) page->showView(id);
         }});
    Offers offers(page, view, commands);
    for (QWidget* option : panel->options()) offers.option(option);
    for (const QWidget* part : panel->findChildren<QWidget*>()) {
      for (QAction* action : part->actions()) offers.action(action);
    }
  }
  return commands;
}

}  // namespace plastiscope
