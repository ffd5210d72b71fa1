#pragma once
// File names and untrusted text in the window (core/base/path_text.h, core/base/foreign_text.h), dropped
// files, shipped files, and shell commands.
#include <QString>
#include <QStringList>
#include <filesystem>
#include <string>
#include <vector>

class QUrl;
class QDragEnterEvent;
class QDropEvent;

namespace plastiscope {

// Text of a path for labels, lists, fields and settings, without loss. Names from a file dialog are used as
// they are.
QString fileText(const std::filesystem::path& path);
// The path of such a text, also if typed by the user.
std::filesystem::path fileOfText(const QString& text);
// Path of a local file, for any bytes in its name.
std::filesystem::path fileOfUrl(const QUrl& url);
QUrl urlOfFile(const std::filesystem::path& path);

// Absolute, without "." and "..". Links are not resolved, since caches consist of them; names of published
// models, which are not files, are kept.
std::filesystem::path normalPlace(const std::filesystem::path& path);

// Message of a library or program, on one line and of bounded length.
QString sanitizedText(const std::string& message);
// Tool tip that shows a text literally, never as rich text.
QString plainTip(const QString& text);

// Accepts files dragged onto a widget.
void acceptFiles(QDragEnterEvent& event);
// The same without exported figures, which the window handles: it opens their studies.
void acceptNumbers(QDragEnterEvent& event);
// Local files of a drop; accepts the drop.
std::vector<std::filesystem::path> takeFiles(QDropEvent& event);

// "42,259"
QString groupedText(std::int64_t count);
// Tokens: 4096 -> "4k", 131072 -> "128k", 5000 -> "5000".
QString windowText(std::int64_t tokens);

// Quotes one argument for a POSIX shell when it needs it.
QString shellQuoted(const QString& argument);
// `command`, then the arguments, quoted where needed; each option starts a line, as does each of its values
// but the first, with backslashes at the line ends.
QString shellCommand(const QString& command, const QStringList& arguments);

// A file shipped with the program but not built into it, below ../share/plastiscope (in a build folder a link
// to resources/); empty if missing.
std::filesystem::path resourceFile(const std::filesystem::path& relative);
// The shipped example capture; empty if not installed.
std::filesystem::path exampleCapture();

}  // namespace plastiscope
