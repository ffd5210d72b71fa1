#include "widgets/state/file_text.h"

#include <QTextDocument>
#include <QUrl>

#include "core/base/foreign_text.h"
#include "core/base/path_text.h"

namespace plastiscope {

QString fileText(const std::filesystem::path& path) {
  return QString::fromStdString(pathText(path));
}

std::filesystem::path fileOfText(const QString& text) {
  return pathOfText(text.toStdString());
}

std::filesystem::path fileOfUrl(const QUrl& url) {
  return QByteArray::fromPercentEncoding(url.path(QUrl::FullyEncoded).toLatin1()).toStdString();
}

QUrl urlOfFile(const std::filesystem::path& path) {
  QUrl url;
  url.setScheme(QStringLiteral("file"));
  const QByteArray bytes = QByteArray::fromStdString(path.native()).toPercentEncoding("/");
  url.setPath(QString::fromLatin1(bytes), QUrl::TolerantMode);
  return url;
}

QString sanitizedText(const std::string& message) {
  return QString::fromStdString(sanitized(message, kLongestMessage));
}

QString plainTip(const QString& text) {
  return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text) : text;
}

}  // namespace plastiscope
