#pragma once
// Entries of context menus that put heads into groups.
class QWidget;

namespace plastiscope {

class StudyModel;

// Adds "Add to group" and "New group" to the menu of a view of heads. Both are about the selected heads, or
// about the selected head alone.
void offerGroups(QWidget& view, StudyModel& model);

}  // namespace plastiscope
