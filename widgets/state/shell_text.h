#pragma once
// Commands as text to be copied into a shell.
#include <QStringList>

namespace plastiscope {

// Quotes one argument for a POSIX shell when it needs it.
QString shellQuoted(const QString& argument);
// `command` as it stands, then the arguments, quoted where needed; every option begins a line, and so does
// each value of it but the first, with backslashes at the ends of the lines.
QString shellCommand(const QString& command, const QStringList& arguments);

}  // namespace plastiscope
