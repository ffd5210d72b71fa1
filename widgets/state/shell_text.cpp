#include "widgets/state/shell_text.h"

#include <QRegularExpression>

namespace plastiscope {

QString shellQuoted(const QString& argument) {
  static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
  if (kPlain.match(argument).hasMatch()) return argument;
  QString inner = argument;
  return QStringLiteral("'%1'").arg(inner.replace(QLatin1Char('\''), QStringLiteral("'\\''")));
}

QString shellCommand(const QString& command, const QStringList& arguments) {
  QString result = command;
  int values = 0;  // of the option before
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

}  // namespace plastiscope
