#include "widgets/jobs/child_program.h"

#include <QCoreApplication>
#include <QStandardPaths>

#include "core/base/error.h"
#include "widgets/state/file_text.h"

namespace plastiscope {

QString commandLineProgram() {
  const QString name = QStringLiteral("plastiscope-cli");
  const QString beside = QStandardPaths::findExecutable(name, {QCoreApplication::applicationDirPath()});
  return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

QStringList programArguments(const QStringList& texts) {
  QStringList arguments;
  for (const QString& text : texts) {
    const std::string bytes = fileOfText(text).native();
    arguments << QString::fromStdString(bytes);
    if (arguments.back().toStdString() != bytes)
      throw InputError(
          text.toStdString() +
          ": the window captures only with names that are UTF-8; rename it, or copy the command into "
          "a terminal");
  }
  return arguments;
}

}  // namespace plastiscope
