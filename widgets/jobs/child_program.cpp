#include "widgets/jobs/child_program.h"

#include <QCoreApplication>
#include <QStandardPaths>

namespace plastiscope {

QString commandLineProgram() {
  const QString name = QStringLiteral("plastiscope-cli");
  const QString beside = QStandardPaths::findExecutable(name, {QCoreApplication::applicationDirPath()});
  return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

}  // namespace plastiscope
