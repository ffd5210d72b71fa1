#pragma once
// The sheet of shortcuts, and what the program is.
#include <QString>
#include <utility>
#include <vector>

class QWidget;

namespace plastiscope {

struct ShortcutGroup {
  QString title;
  std::vector<std::pair<QString, QString>> rows;  // keys and descriptions
};

// In two columns; keys of the views follow the first.
void showShortcutSheet(QWidget& window, const std::vector<ShortcutGroup>& first,
                       const std::vector<ShortcutGroup>& second);
void showAbout(QWidget& window);

}  // namespace plastiscope
