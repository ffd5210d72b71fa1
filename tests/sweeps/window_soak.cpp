// The real window under stress; each sweep prints a table. See README.md.
//   xvfb-run -a -s "-screen 0 1600x1000x24 +extension GLX" window_soak events|cancels|accidents [options]
#include <fcntl.h>
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QRegularExpression>
#include <QStandardPaths>
#include <csignal>
#include <cstdio>
#include <map>
#include <mutex>

#include "sweeps/soaked_window.h"
#include "sweeps/window_watch.h"
#include "widgets/state/theme.h"

using namespace plastiscope;

namespace {

// Prints the stack of the crash; the log holds the last events.
void crashed(int signal) {
  constexpr char kWords[] = "\nthe window crashed, its stack:\n";
  if (::write(STDERR_FILENO, kWords, sizeof kWords - 1) < 0) ::_exit(3);
  sweep::writeStack(STDERR_FILENO);
  ::_exit(128 + signal);
}

// Warnings of Qt, each once, without regard to numbers in them.
std::mutex complaintsMutex;
std::map<QString, int> complaints;
void complain(QtMsgType, const QMessageLogContext&, const QString& text) {
  static const QRegularExpression kNumbers(QStringLiteral("\\d+"));
  const std::lock_guard lock(complaintsMutex);
  ++complaints[QString(text).replace(kNumbers, QStringLiteral("N"))];
}

}  // namespace

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("DISPLAY")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) ::signal(signal, crashed);
  QApplication app(argc, argv);
  QApplication::setQuitOnLastWindowClosed(false);
  applyTheme(app, QStringLiteral("light"));
  const QMap<QString, bool (*)(const sweep::SoakOptions&)> sweeps = {
      {QStringLiteral("events"), sweep::soakEvents},
      {QStringLiteral("cancels"), sweep::soakCancels},
      {QStringLiteral("accidents"), sweep::soakAccidents}};
  sweep::SoakOptions options;
  QCommandLineParser parser;
  parser.addHelpOption();
  parser.addPositionalArgument(QStringLiteral("sweep"), QStringList(sweeps.keys()).join(QLatin1Char('|')));
  const auto option = [&](const char* name, const char* about, const QString& value) {
    parser.addOption({QLatin1String(name), QLatin1String(about), QLatin1String(name), value});
  };
  option("events", "how many events", QString::number(options.events));
  option("minutes", "in which they are sent, or longer", QString::number(options.minutes));
  option("times", "how often each job is cancelled; how many kinds of accidents happen",
         QString::number(options.times));
  option("seed", "of all that is random", QString::number(options.seed));
  option("model", "that captures run; a tiny one without", {});
  option("text", "that they read, again for each", {});
  option("log", "file of all events, one a line", {});
  parser.process(app);
  const auto chosen = sweeps.value(parser.positionalArguments().value(0));
  if (chosen == nullptr) parser.showHelp(2);
  options.events = parser.value(QStringLiteral("events")).toInt();
  options.minutes = parser.value(QStringLiteral("minutes")).toDouble();
  options.times = parser.value(QStringLiteral("times")).toInt();
  options.seed = parser.value(QStringLiteral("seed")).toUInt();
  const auto absolute = [](const QString& file) {
    return file.isEmpty() ? std::filesystem::path() : std::filesystem::absolute(file.toStdString());
  };
  options.model = absolute(parser.value(QStringLiteral("model")));
  options.log = absolute(parser.value(QStringLiteral("log")));
  for (const QString& text : parser.values(QStringLiteral("text"))) options.texts.push_back(absolute(text));
  qInstallMessageHandler(complain);
  const bool well = chosen(options);
  qInstallMessageHandler(nullptr);
  for (const auto& [text, count] : complaints) std::printf("Qt, %d times: %s\n", count, qPrintable(text));
  return well ? 0 : 1;
}
