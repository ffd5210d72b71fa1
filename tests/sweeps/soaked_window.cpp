#include "sweeps/soaked_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QTabWidget>
#include <QTimer>
#include <cstdio>

#include "support/tiny_llama.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope::sweep {

SoakedWindow::SoakedWindow(const SoakOptions& options) : m_model(options.model), m_texts(options.texts) {
  for (const char* name : {"HOME", "HF_HOME", "XDG_DOCUMENTS_DIR", "XDG_CONFIG_HOME"})
    qputenv(name, m_folder.path().c_str());
  qputenv("PATH", QByteArray(PLASTISCOPE_BIN ":") + qgetenv("PATH"));
  qputenv("MESA_SHADER_CACHE_DISABLE", "true");  // the sweeps empty its folder
  qputenv("XDG_CACHE_HOME", (m_folder / "cache").c_str());
  fs::create_directories(m_folder / "captures");
  fs::create_directories(m_folder / "written");
  fs::current_path(m_folder / "written");
  if (m_model.empty()) {
    m_model = m_folder / "model";
    test::TinyLlama().write(m_model);
    test::writeTokenFile(m_folder / "tokens.jsonl", 12, 1024);
  }
}

fs::path SoakedWindow::provide(const std::string& capture, const std::string& name) const {
  fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / capture, m_folder / name,
                fs::copy_options::overwrite_existing);
  return m_folder / name;
}

fs::path SoakedWindow::provideExample(const std::string& name) const {
  fs::copy_file(exampleCapture(), m_folder / name, fs::copy_options::overwrite_existing);
  return m_folder / name;
}

CaptureRequest SoakedWindow::request(const std::string& out) const {
  CaptureRequest request;
  request.model = m_model;
  request.corpus.files = m_texts;
  if (m_texts.empty()) request.tokens = m_folder / "tokens.jsonl";
  request.plan.window = 1024;
  request.plan.heads = "all";
  request.out = m_folder / out;
  request.checkpointSeconds = 0;
  return request;
}

void SoakedWindow::begin(bool intervals) {
  window.reset();
  session.reset();
  session = std::make_unique<Session>(m_folder / "settings");
  session->state.settings().captureFolder = m_folder / "captures";
  session->state.settings().intervals = intervals;
  session->state.settings().theme = "light";
  window = std::make_unique<MainWindow>(*session);
  window->resize(1500, 940);
  window->show();
}

bool SoakedWindow::settle() const {
  const auto done = [this] { return window->settled() && idle(); };
  // Views begin to load when they are painted.
  for (int i = 0; i < 3; ++i) {
    if (!until(done)) return false;
    wait(50);
  }
  return until(done);
}

bool SoakedWindow::idle() const {
  const auto works = [this](WorkLength length) {
    return session->workers.pool(length).activeThreadCount() > 0;
  };
  return session->jobs.active().isEmpty() && !session->captures.running() && !works(WorkLength::Quick) &&
         !works(WorkLength::Long);
}

void SoakedWindow::cancelAll() const {
  for (JobHandle* job : QList<JobHandle*>(session->jobs.active())) job->cancel();
}

void SoakedWindow::closeTabs() const {
  auto* tabs = window->findChild<QTabWidget*>(QStringLiteral("tabs"));
  while (tabs->count() > 1 || window->currentPage() != nullptr) {
    Q_EMIT tabs->tabCloseRequested(tabs->count() - 1);
    wait(5);
  }
}

int SoakedWindow::runTool(const QStringList& arguments) const {
  QProcess tool;
  tool.setProcessChannelMode(QProcess::ForwardedErrorChannel);
  tool.start(commandLineProgram(), arguments);
  tool.waitForFinished(-1);
  return tool.exitStatus() == QProcess::NormalExit ? tool.exitCode() : -1;
}

bool until(const std::function<bool()>& done, double seconds) {
  QElapsedTimer clock;
  clock.start();
  QEventLoop loop;  // its own loop, so that deferred deletes run
  QTimer ask;
  const auto over = [&] { return done() || static_cast<double>(clock.elapsed()) > seconds * 1000; };
  QObject::connect(&ask, &QTimer::timeout, &loop, [&] {
    if (over()) loop.quit();
  });
  ask.start(2);
  if (!over()) loop.exec();
  return done();
}

void wait(double milliseconds) {
  QElapsedTimer clock;
  clock.start();
  until([&] { return static_cast<double>(clock.nsecsElapsed()) / 1e6 >= milliseconds; });
}

}  // namespace plastiscope::sweep
