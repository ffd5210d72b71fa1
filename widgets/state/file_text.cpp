#include "widgets/state/file_text.h"

#include <QCoreApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QRegularExpression>
#include <QTextDocument>
#include <QUrl>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/path_text.h"
#include "core/compare/reference_data.h"

namespace fs = std::filesystem;

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

fs::path normalPlace(const fs::path& path) {
  if (publishedIdOf(pathText(path))) return path;
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  return (failed ? path : absolute).lexically_normal();
}

QString sanitizedText(const std::string& message) {
  return QString::fromStdString(sanitized(message, kLongestMessage));
}

QString groupedText(std::int64_t count) {
  return QString::fromStdString(withCommas(count));
}

QString windowText(std::int64_t tokens) {
  return tokens >= 1024 && tokens % 1024 == 0 ? QStringLiteral("%1k").arg(tokens / 1024)
                                              : QString::number(tokens);
}

QString plainTip(const QString& text) {
  return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text) : text;
}

// ---- dropped files

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

// ---- shell text

namespace {

// Bash, zsh and ksh read $'...' with the escapes that texts of paths use (core/base/path_text.h).
QString ansiQuoted(const QString& argument) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  const std::string text = argument.toStdString();
  std::string quoted = "$'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::string_view four = std::string_view(text).substr(i, 4);
    const bool escape = four.size() == 4 && bytesOfText(four).size() == 1;
    if (escape) {
      quoted += text.substr(i, 4);
      i += 3;
    } else if (byte < ' ' || byte == 0x7F || byte == '\\' || byte == '\'') {
      quoted += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      quoted += text[i];
    }
  }
  return QString::fromStdString(quoted + "'");
}

bool needsEscapes(const QString& argument) {
  static const QRegularExpression kControl(QStringLiteral("[\\x00-\\x1F\\x7F]"));
  const std::string text = argument.toStdString();
  return kControl.match(argument).hasMatch() || bytesOfText(text) != text;
}

}  // namespace

QString shellQuoted(const QString& argument) {
  static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
  if (kPlain.match(argument).hasMatch()) return argument;
  if (needsEscapes(argument)) return ansiQuoted(argument);
  QString inner = argument;
  return QStringLiteral("'%1'").arg(inner.replace(QLatin1Char('\''), QStringLiteral("'\\''")));
}

QString shellCommand(const QString& command, const QStringList& arguments) {
  QString result = command;
  int values = 0;  // values of the current option so far
  for (const QString& argument : arguments) {
    const bool option = argument.startsWith(QLatin1String("--"));
    values = option ? 0 : values + 1;
    const QString before = option       ? QStringLiteral(" \\\n  ")
                           : values > 1 ? QStringLiteral(" \\\n    ")
                                        : QStringLiteral(" ");
    result += before + shellQuoted(argument);
  }
  return result;
}

// ---- resource path

fs::path resourceFile(const fs::path& relative) {
  const fs::path program = QCoreApplication::applicationDirPath().toStdString();
  const fs::path file = program / "../share/plastiscope" / relative;
  std::error_code ignored;
  return fs::exists(file, ignored) ? fs::weakly_canonical(file, ignored) : fs::path();
}

fs::path exampleCapture() {
  const fs::path folder = resourceFile("example");
  if (folder.empty()) return {};
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".h5" && name.find(".analysis.") == std::string::npos)
      return entry.path();
  }
  return {};
}

}  // namespace plastiscope
