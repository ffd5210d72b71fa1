#include "widgets/state/dropped_files.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <algorithm>

#include "widgets/state/file_text.h"

namespace plastiscope {

void acceptFiles(QDragEnterEvent& event) {
  if (event.mimeData()->hasUrls()) event.acceptProposedAction();
}

void acceptNumbers(QDragEnterEvent& event) {
  static const QStringList kFigures = {".pdf", ".svg", ".png", ".json"};
  const QList<QUrl> urls = event.mimeData()->urls();
  const bool figure = std::any_of(urls.begin(), urls.end(), [](const QUrl& url) {
    return std::any_of(kFigures.begin(), kFigures.end(), [&url](const QString& extension) {
      return url.path().endsWith(extension, Qt::CaseInsensitive);
    });
  });
  figure ? event.ignore() : acceptFiles(event);
}

std::vector<std::filesystem::path> takeFiles(QDropEvent& event) {
  std::vector<std::filesystem::path> files;
  for (const QUrl& url : event.mimeData()->urls()) {
    if (url.isLocalFile()) files.push_back(fileOfUrl(url));
  }
  event.acceptProposedAction();
  return files;
}

}  // namespace plastiscope
