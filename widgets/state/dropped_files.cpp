#include "widgets/state/dropped_files.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>

namespace plastiscope {

void acceptFiles(QDragEnterEvent& event) {
  if (event.mimeData()->hasUrls()) event.acceptProposedAction();
}

std::vector<std::filesystem::path> takeFiles(QDropEvent& event) {
  std::vector<std::filesystem::path> files;
  for (const QUrl& url : event.mimeData()->urls()) {
    if (url.isLocalFile()) files.emplace_back(url.toLocalFile().toStdString());
  }
  event.acceptProposedAction();
  return files;
}

}  // namespace plastiscope
