// plastiscope: the desktop application.
#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "app/desktop/command_line.h"
#include "app/desktop/main_window.h"
#include "app/desktop/session.h"
#include "app/desktop/window_server.h"
#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/platform.h"
#include "core/base/version.h"
#include "widgets/cloud/scene_3d.h"
#include "widgets/state/file_text.h"
#include "widgets/state/theme.h"

namespace {

using namespace plastiscope;

int fail(const std::string& sentence, int code) {
  std::fprintf(stderr, "plastiscope: %s\n", sanitized(sentence, kLongestMessage).c_str());
  return code;
}

bool displayIsThere() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
    const char* value = std::getenv(name);
    if (value && *value) return true;
  }
  return false;
}

// The archive and the wheel have Qt's plugins beside its libraries; those of the system may be of another Qt.
void useOwnPlugins() {
  std::error_code none;
  const std::filesystem::path plugins = ownProgram().parent_path().parent_path() / "lib/plastiscope/plugins";
  if (std::filesystem::exists(plugins, none))
    QCoreApplication::setLibraryPaths({QString::fromStdString(plugins.string())});
}

// Qt aborts when it cannot reach the display; prints a message and returns the right exit code instead.
void explainFatal(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type == QtFatalMsg) {
    const bool display = message.contains(QLatin1String("platform plugin"));
    std::_Exit(fail(display ? "the display cannot be used. `plastiscope render` needs no display; "
                              "`plastiscope screenshot` needs one only for the point cloud"
                            : message.toStdString(),
                    display ? 3 : 1));
  }
  if (type == QtWarningMsg || type == QtCriticalMsg) {
    const bool noise = message.contains(QLatin1String("could not connect to display")) ||
                       message.startsWith(QLatin1String("This plugin does not support")) ||
                       message.startsWith(QLatin1String("QStandardPaths"));
    if (!noise) std::fprintf(stderr, "%s\n", sanitized(message.toStdString(), kLongestMessage).c_str());
  }
}

std::filesystem::path configFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation).toStdString();
}

int runWindow(const CommandLine& line, QApplication& application) {
  Session session(configFolder());
  applyTheme(application,
             line.theme.empty() ? QString::fromStdString(session.state.settings().theme)
                                : QString::fromStdString(line.theme),
             session.state.settings().fontPoints);
  MainWindow window(session);
  const WindowServer server(window, session);
  window.show();
  ViewSelection selection;
  selection.head = line.head;
  std::vector<std::filesystem::path> files = line.files;
  const std::filesystem::path example = line.example ? exampleCapture() : std::filesystem::path();
  if (!example.empty()) files.push_back(example);
  window.sessions().start(files, selection);
  if (line.example && example.empty()) window.openExample();  // reports that it is missing
  return QApplication::exec();
}

int runPicture(const CommandLine& line, QApplication& application) {
  const QTemporaryDir settings;  // the user's settings are neither shown nor changed
  Session session(settings.path().toStdString());
  session.state.settings().intervals = false;  // the image does not wait for results computed later
  applyTheme(application, line.theme.empty() ? QStringLiteral("light") : QString::fromStdString(line.theme));
  MainWindow window(session);
  return runScreenshot(line, window);
}

int run(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments.front() == "render")
    return runRender({arguments.begin() + 1, arguments.end()});
  if (printDocument(arguments)) return 0;
  const CommandLine line = parseCommandLine(arguments);
  if (line.mode == CommandLine::Mode::Help || line.mode == CommandLine::Mode::Version) {
    std::printf("%s", line.mode == CommandLine::Mode::Help
                          ? helpText().c_str()
                          : (std::string("plastiscope ") + kVersion + "\n").c_str());
    return 0;
  }
  const bool screenshot = line.mode == CommandLine::Mode::Screenshot;
  const bool cloud = line.page == WindowPage::Cloud || line.view == QLatin1String("cloud");
  if (screenshot && !(cloud && displayIsThere()))
    useNoDisplay();
  else if (!displayIsThere())
    return fail("no display was found; `plastiscope render` and `plastiscope screenshot` work without one",
                3);
  qInstallMessageHandler(explainFatal);
  QCoreApplication::setApplicationName(QStringLiteral("plastiscope"));
  QCoreApplication::setApplicationVersion(QString::fromLatin1(kVersion));
  QGuiApplication::setDesktopFileName(QStringLiteral("plastiscope"));
  prepareCloudGraphics();
  QApplication application(argc, argv);
  return screenshot ? runPicture(line, application) : runWindow(line, application);
}

}  // namespace

int main(int argc, char** argv) {
  plastiscope::occupyStandardDescriptors();
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the file-size limit fails with an error
  useOwnPlugins();
  try {
    const int code = run(argc, argv);
    if (code == 0) plastiscope::requireOutputWritten();
    return code;
  } catch (...) {
    const plastiscope::Failure failure = plastiscope::caughtFailure();
    return fail(failure.sentence, static_cast<int>(failure.kind));
  }
}
