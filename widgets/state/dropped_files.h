#pragma once
// Files that a person drags onto a widget.
#include <filesystem>
#include <vector>

class QDragEnterEvent;
class QDropEvent;

namespace plastiscope {

void acceptFiles(QDragEnterEvent& event);
// The same without exported figures: they are left to the window, which opens what they show.
void acceptNumbers(QDragEnterEvent& event);
// Those of this computer; the drop is accepted.
std::vector<std::filesystem::path> takeFiles(QDropEvent& event);

}  // namespace plastiscope
