#include "widgets/panels/group_menu.h"

#include <QAction>
#include <QMenu>
#include <algorithm>
#include <iterator>

#include "widgets/models/study_model.h"
#include "widgets/state/icons.h"

namespace plastiscope {

namespace {

// Adds the chosen heads to a group, or removes them if all of them are in it and others remain.
void addOrRemove(StudyModel& model, const std::string& name) {
  const HeadGroup* group = model.selection().value().findGroup(name);
  if (group == nullptr) return;
  const std::vector<HeadName> chosen = model.chosenHeads();
  HeadGroup changed = *group;
  changed.heads.clear();
  if (std::ranges::includes(group->heads, chosen))
    std::ranges::set_difference(group->heads, chosen, std::back_inserter(changed.heads));
  else
    std::ranges::set_union(group->heads, chosen, std::back_inserter(changed.heads));
  if (!changed.heads.empty()) model.selection().replaceGroup(name, changed);
}

void fillAddMenu(QMenu& menu, StudyModel& model) {
  menu.clear();
  const std::vector<HeadName> chosen = model.chosenHeads();
  for (const HeadGroup& group : model.selection().value().groups) {
    QAction* action = menu.addAction(groupIcon(group), QString::fromStdString(group.name));
    action->setCheckable(true);
    action->setChecked(std::ranges::includes(group.heads, chosen));
    QObject::connect(action, &QAction::triggered, &model,
                     [&model, name = group.name] { addOrRemove(model, name); });
  }
}

}  // namespace

void offerGroups(QWidget& view, StudyModel& model) {
  auto* menu = new QMenu(QObject::tr("Add to group"), &view);
  QObject::connect(menu, &QMenu::aboutToShow, &model, [menu, &model] { fillAddMenu(*menu, model); });
  auto* create = new QAction(&view);
  create->setObjectName(QStringLiteral("newGroup"));
  QObject::connect(create, &QAction::triggered, &model,
                   [&model] { model.makeGroup({}, model.chosenHeads()); });
  view.addActions({menu->menuAction(), create});
  const auto follow = [menu, create, &model] {
    const std::vector<HeadName> chosen = model.chosenHeads();
    menu->menuAction()->setEnabled(!chosen.empty() && !model.selection().value().groups.empty());
    create->setEnabled(!chosen.empty());
    create->setText(chosen.size() > 1 ? QObject::tr("New group of %1").arg(severalText(chosen))
                                      : QObject::tr("New group of this head"));
  };
  QObject::connect(&model.selection(), &Selection::changed, create, follow);
  follow();
}

}  // namespace plastiscope
