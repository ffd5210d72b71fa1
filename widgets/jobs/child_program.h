#pragma once
// Where the command line program is: beside our own executable, or found on the PATH.
#include <QString>
#include <QStringList>

namespace plastiscope {
QString commandLineProgram();

// What is handed to it, of arguments that hold paths as fileText() gives them. InputError when one is not
// UTF-8: Qt cannot pass it on.
QStringList programArguments(const QStringList& texts);
}  // namespace plastiscope
