#pragma once
// Paths and other text from outside in the window (core/base/path_text.h, core/base/foreign_text.h).
#include <QString>
#include <filesystem>
#include <string>

class QUrl;

namespace plastiscope {

// A path as labels, lists and fields show it and settings keep it, without loss. What a file dialog gives is
// a name as it is, and needs no way back.
QString fileText(const std::filesystem::path& path);
// The path of such a text, also of one that a person typed.
std::filesystem::path fileOfText(const QString& text);
// Of a local file, whatever bytes its name has.
std::filesystem::path fileOfUrl(const QUrl& url);
QUrl urlOfFile(const std::filesystem::path& path);

// What a library or a program said, on one line and of bounded length.
QString sanitizedText(const std::string& message);
// A text as a tool tip: as it is, never as rich text.
QString plainTip(const QString& text);

}  // namespace plastiscope
