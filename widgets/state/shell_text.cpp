#include "widgets/state/shell_text.h"

#include <QRegularExpression>

#include "core/base/path_text.h"

namespace plastiscope {

namespace {

// Bash, zsh and ksh read $'...' with the same escapes that texts of paths have (core/base/path_text.h).
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
