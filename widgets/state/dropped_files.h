#pragma once
// Files that a person drags onto a widget.
#include <filesystem>
#include <vector>

class QDragEnterEvent;
class QDropEvent;

namespace plastiscope {

void acceptFiles(QDragEnterEvent& event);
// Those of this computer; the drop is accepted.
std::vector<std::filesystem::path> takeFiles(QDropEvent& event);

}  // namespace plastiscope
