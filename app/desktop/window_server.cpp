#include "app/desktop/window_server.h"

#include <QCoreApplication>
#include <QLocalServer>
#include <QLocalSocket>
#include <QPointer>
#include <QSaveFile>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTimer>
#include <QUuid>

#include "app/desktop/main_window.h"
#include "core/base/checked_json.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/jobs/head_metrics.h"
#include "core/views/column_units.h"
#include "core/views/head_filter.h"
#include "core/views/study_facts.h"
#include "widgets/pages/model_page.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

void send(QLocalSocket* socket, const Json& id, const JobResult<JsonValue>& result) {
  if (socket == nullptr) return;  // it has gone meanwhile
  Json answer = {{"id", id}};
  answer[result.ok() ? "result" : "error"] = result.ok()
                                                 ? **result.value
                                                 : Json{{"kind", static_cast<int>(result.failure.kind)},
                                                        {"message", result.failure.sentence.toStdString()}};
  socket->write(QByteArray::fromStdString(answer.dump() + "\n"));
}

// UsageError: the current tab has no study.
ModelPage& pageOf(const MainWindow& window) {
  if (ModelPage* page = window.currentPage()) return *page;
  throw UsageError("the current tab of the window has no study: open one or choose its tab");
}

}  // namespace

WindowServer::WindowServer(MainWindow& window, Session& session)
    : m_window(window), m_session(session), m_jobs(session.workers, session.jobs) {
  const auto follow = [this] { listen(m_session.state.settings().connections); };
  connect(&window, &MainWindow::settingsChanged, this, follow);
  follow();
}

void WindowServer::listen(bool wanted) {
  if (wanted == (m_server != nullptr)) return;
  delete std::exchange(m_server, nullptr);
  std::error_code ignored;  // the record cannot be written, or has been removed
  fs::remove(m_record, ignored);
  if (!wanted) return;
  const std::string process = std::to_string(QCoreApplication::applicationPid());
  const fs::path folder = m_session.state.folder() / "windows";
  m_record = folder / (QSysInfo::machineHostName().toStdString() + "-" + process + ".json");
  m_token = QUuid::createUuid().toString(QUuid::Id128).toStdString();  // from the system's random numbers
  m_server = new QLocalServer(this);
  m_server->setSocketOptions(QLocalServer::UserAccessOption);
  connect(m_server, &QLocalServer::newConnection, this, [this] {
    QLocalSocket* socket = m_server->nextPendingConnection();
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
      while (socket->canReadLine()) handle(*socket, socket->readLine());
    });
  });
  const bool listens =
      m_server->listen(QString::fromStdString("plastiscope-" + process + "-" + m_token.substr(0, 8)));
  const Json record = {{"socket", m_server->fullServerName().toStdString()}, {"token", m_token}};
  fs::create_directories(folder, ignored);
  QSaveFile file(fileText(m_record));
  if (!listens || !file.open(QSaveFile::WriteOnly) ||
      !file.setPermissions(QSaveFile::ReadOwner | QSaveFile::WriteOwner) ||
      file.write(QByteArray::fromStdString(record.dump())) < 0 || !file.commit())
    Q_EMIT m_session.state.failed(tr("Python cannot connect to this window: %1")
                                      .arg(listens ? file.errorString() : m_server->errorString()));
}

void WindowServer::handle(QLocalSocket& socket, const QByteArray& line) {
  static const std::map<std::string, void (WindowServer::*)(const CheckedJson&, const Answer&)> kMethods = {
      {"state", &WindowServer::state},  // -> {files, file, head, heads, filter}: open, and of the current tab
      {"open", &WindowServer::open},    // file; answered once it is open
      {"select", &WindowServer::select},           // heads: "L1H2,L3H0-7", filter: each optional
      {"add_columns", &WindowServer::addColumns},  // rows: [{layer, head, NAME: number}], unit -> [NAME]
  };
  Json id;
  const auto started = resultOf<bool>([&] {
    const CheckedJson request(parseJson(line.toStdString(), "request", true), "request");
    id = request.child("id").json();
    if (request.text("token") != m_token)
      throw UsageError("wrong token: expected the one in " + pathText(m_record));
    const auto method = kMethods.find(request.text("method"));
    if (method == kMethods.end()) request.child("method").refuse("a method of this version");
    (this->*method->second)(request.object("parameters"),
                            [id, to = QPointer(&socket)](const auto& result) { send(to, id, result); });
    return true;
  });
  if (!started.ok()) send(&socket, id, {{}, started.failure});
}

void WindowServer::state(const CheckedJson&, const Answer& answer) {
  Json state = {
      {"files", Json::array()}, {"file", nullptr}, {"head", nullptr}, {"heads", ""}, {"filter", ""}};
  for (const ModelPage* page : m_window.tabs().pages<ModelPage>())
    state["files"].push_back(pathText(page->file()));
  if (ModelPage* page = m_window.currentPage()) {
    const ViewSelection& now = page->selection().value();
    state["file"] = pathText(page->file());
    if (now.head) state["head"] = now.head->text();
    state["heads"] = headListText(page->model().chosenHeads());
    state["filter"] = now.filter;
  }
  answer({JsonValue(state), {}});
}

void WindowServer::open(const CheckedJson& parameters, const Answer& answer) {
  const fs::path file = normalPlace(pathOfText(parameters.text("file")));
  auto* look = new QTimer(this);
  const auto end = [look, answer](const QString& problem) {
    look->disconnect();
    look->deleteLater();
    problem.isEmpty() ? answer({JsonValue(), {}}) : answer({{}, {ErrorKind::Input, problem}});
  };
  connect(&m_session.opener, &FileOpener::openingFailed, look, [=](const fs::path& path, const QString& why) {
    if (path == file) end(why.isEmpty() ? tr("opening was cancelled") : why);
  });
  connect(look, &QTimer::timeout, this, [=, this] {
    if (qobject_cast<ModelPage*>(m_window.tabs().pageOf(file)) != nullptr)
      end({});
    else if (!m_session.busy())
      end(tr("%1 is not a capture or analysis").arg(fileText(file)));
  });
  m_window.openPaths({file});
  look->start(50);
}

// Checks everything before it changes anything.
void WindowServer::select(const CheckedJson& parameters, const Answer& answer) {
  ModelPage& page = pageOf(m_window);
  Selection& selection = page.selection();
  const Table& table = requiredTable(*page.study().analysis, "heads");
  const std::string names = parameters.textOr("heads", "");
  const auto heads = names.empty() ? std::vector<HeadName>() : headsMeant(names, headsOf(table));
  const auto filter = parameters.findText("filter");
  if (filter)
    HeadFilter(*filter, table, HeadSets{[](std::size_t) { return false; }, selection.value().groups});
  if (parameters.has("heads")) selection.setSeveral(heads);
  if (filter) selection.setFilter(*filter);
  answer({JsonValue(), {}});
}

// As `plastiscope-cli import metrics`, for the open study only.
void WindowServer::addColumns(const CheckedJson& parameters, const Answer& answer) {
  const auto whole = pageOf(m_window).whole();
  m_jobs.run(
      {},
      [whole, rows = parameters.child("rows").json().dump()](Progress&) {
        const QTemporaryDir folder;
        const fs::path file = folder.filePath(QStringLiteral("python.json")).toStdString();
        writeFileAtomically(file, rows);
        return importHeadMetrics(*whole->analysis, {file, ""});
      },
      [=, unit = parameters.textOr("unit", ""),
       page = QPointer(&pageOf(m_window))](JobResult<ImportedMetrics> done) {
        if (!done.ok()) return answer({{}, done.failure});
        if (!page || page->whole() != whole)
          return answer(
              {{}, {ErrorKind::Usage, tr("the study has changed meanwhile: add the column again")}});
        for (const std::string& column : done.value->columns) columnUnit(column, &unit);
        Study changed = *whole;
        changed.analysis = std::make_shared<const AnalysisFile>(std::move(done.value->analysis));
        page->setStudy(std::make_shared<const Study>(changed));
        answer({JsonValue(Json(done.value->columns)), {}});
      });
}

}  // namespace plastiscope

#include "moc_window_server.cpp"
