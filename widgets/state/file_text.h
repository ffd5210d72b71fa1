#pragma once
// Files in the window: their names and other text from outside (core/base/path_text.h,
// core/base/foreign_text.h), those that are dropped on it or shipped with it, and commands for a shell.
#include <QString>
#include <QStringList>
#include <filesystem>
#include <string>
#include <vector>

class QUrl;
class QDragEnterEvent;
class QDropEvent;

namespace plastiscope {

// A path as labels, lists and fields show it and settings keep it, without loss. What a file dialog gives is
// a name as it is, and needs no way back.
QString fileText(const std::filesystem::path& path);
// The path of such a text, also of one that a person typed.
std::filesystem::path fileOfText(const QString& text);
// Of a local file, whatever bytes its name has.
std::filesystem::path fileOfUrl(const QUrl& url);
QUrl urlOfFile(const std::filesystem::path& path);

// Absolute, without "." and ".."; links stay as they are, since caches are made of them, and so do names of
// published models, which are no files.
std::filesystem::path normalPlace(const std::filesystem::path& path);

// What a library or a program said, on one line and of bounded length.
QString sanitizedText(const std::string& message);
// A text as a tool tip: as it is, never as rich text.
QString plainTip(const QString& text);

// Files that a person drags onto a widget.
void acceptFiles(QDragEnterEvent& event);
// The same without exported figures: they are left to the window, which opens what they show.
void acceptNumbers(QDragEnterEvent& event);
// Those of this computer; the drop is accepted.
std::vector<std::filesystem::path> takeFiles(QDropEvent& event);

// "42,259"
QString groupedText(std::int64_t count);
// Of tokens: 4096 -> "4k", 131072 -> "128k", 5000 -> "5000".
QString windowText(std::int64_t tokens);

// Quotes one argument for a POSIX shell when it needs it.
QString shellQuoted(const QString& argument);
// `command` as it stands, then the arguments, quoted where needed; every option begins a line, and so does
// each value of it but the first, with backslashes at the ends of the lines.
QString shellCommand(const QString& command, const QStringList& arguments);

// A file that is shipped beside the program and not built into it, below ../share/plastiscope (of a build
// folder a link to resources/); empty when it is not there.
std::filesystem::path resourceFile(const std::filesystem::path& relative);
// The shipped example capture; empty when it was not installed.
std::filesystem::path exampleCapture();

}  // namespace plastiscope
