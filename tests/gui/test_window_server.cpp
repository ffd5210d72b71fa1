// Connections of other programs to the window: who may connect, answers to anything that is sent, and their
// effects.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QDir>
#include <QLabel>
#include <QLocalSocket>
#include <QTableView>

#include "app/desktop/window_server.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/jobs/study_job.h"
#include "gui/window_fixture.h"
#include "widgets/models/head_table_model.h"
#include "widgets/models/metric_box.h"
#include "widgets/pages/model_page.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;
using test::waitFor;

class WindowServerTest : public test::WindowFixture {
 protected:
  WindowServerTest() {
    file = provide("grouped.h5", "grouped.h5");
    renew();
    server = std::make_unique<WindowServer>(*window, *session);
    window->openPaths({file});
    settle();
  }
  ~WindowServerTest() override { server.reset(); }
  fs::path recordFile() const {
    const QDir windows(QString::fromStdString((folder / "settings/windows").string()));
    const QStringList files = windows.entryList(QDir::Files);
    return files.size() == 1 ? fs::path(windows.filePath(files.front()).toStdString()) : fs::path();
  }
  void connectTo(QLocalSocket& socket) {
    const Json record = Json::parse(readFile(recordFile()));
    token = record["token"];
    place = record["socket"];
    socket.connectToServer(QString::fromStdString(place));
    ASSERT_TRUE(socket.waitForConnected(5000));
  }
  static Json send(QLocalSocket& socket, const QByteArray& line) {
    socket.write(line + "\n");
    EXPECT_TRUE(waitFor([&] { return socket.canReadLine(); }, 20000)) << line.left(200).toStdString();
    return Json::parse(socket.readLine().toStdString(), nullptr, false);
  }
  Json ask(QLocalSocket& socket, const char* method, const Json& parameters = Json::object()) {
    const Json request = {{"id", 7}, {"token", token}, {"method", method}, {"parameters", parameters}};
    return send(socket, QByteArray::fromStdString(request.dump()));
  }
  ModelPage& page() { return *window->currentPage(); }

  fs::path file;
  std::string token, place;
  std::unique_ptr<WindowServer> server;
};

TEST_F(WindowServerTest, OnlyTheUserCanConnectAndOnlyWithTheToken) {
  QLocalSocket socket;
  connectTo(socket);
  for (const fs::path& path : {recordFile(), fs::path(place)}) {
    struct stat status = {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0) << path;
    EXPECT_EQ(status.st_mode & 077, 0u) << path << " is open to others";
    EXPECT_EQ(status.st_uid, ::getuid());
  }
  const auto before = page().selection().value();
  token = std::string(token.size(), '0');
  const Json answer = ask(socket, "select", {{"filter", "layer == 1"}});
  EXPECT_EQ(answer["error"]["kind"], 2);
  EXPECT_NE(answer["error"]["message"].get<std::string>().find("wrong token"), std::string::npos);
  EXPECT_EQ(page().selection().value(), before);
}

TEST_F(WindowServerTest, AnswersForeignInputWithAnError) {
  QLocalSocket socket;
  connectTo(socket);
  const std::string known = "\"token\": \"" + token + "\"";
  for (const std::string& line :
       {std::string("GET / HTTP/1.1"), std::string("[]"), std::string("{}"), std::string("\xFF\xFE"),
        std::string("\0\0", 2), std::string(1000, '['), "{\"id\": 1, \"id\": 2, " + known + "}",
        "{\"id\": 1, " + known + "}", "{\"id\": 1, \"method\": \"quit\", " + known + "}",
        "{\"id\": 1, \"method\": 3, " + known + "}",
        "{\"id\": 1, \"method\": \"state\", \"parameters\": 3, " + known + "}",
        "{\"id\": 1, \"method\": \"open\", " + known + "}"}) {
    const Json answer = send(socket, QByteArray::fromStdString(line));
    ASSERT_TRUE(answer.contains("error")) << line.substr(0, 60) << ": " << answer.dump();
    EXPECT_FALSE(answer["error"]["message"].get<std::string>().empty());
  }
  EXPECT_EQ(ask(socket, "state")["result"]["file"], file.string()) << "the connection is kept";
}

TEST_F(WindowServerTest, ChangesNothingIfOneOfTheValuesIsWrong) {
  QLocalSocket socket;
  connectTo(socket);
  const auto before = page().selection().value();
  for (const Json& wrong : {Json{{"heads", "L1H2"}, {"filter", "nothing >"}}, Json{{"heads", "L1H2,L9H9"}},
                            Json{{"filter", "layer == 1"}, {"heads", "L9H9"}}}) {
    EXPECT_EQ(ask(socket, "select", wrong)["error"]["kind"], 2) << wrong.dump();
    EXPECT_EQ(page().selection().value(), before) << wrong.dump();
  }
  EXPECT_TRUE(ask(socket, "select", {{"heads", "L0H0,L1H2"}, {"filter", "layer < 9"}}).contains("result"));
  EXPECT_EQ(page().selection().value().several, (std::vector<HeadName>{{0, 0}, {1, 2}}));
  EXPECT_EQ(page().selection().value().filter, "layer < 9");
  EXPECT_EQ(ask(socket, "open", {{"file", (folder / "none.h5").string()}})["error"]["kind"], 3);
}

TEST_F(WindowServerTest, ShowsAnAddedColumnAndKeepsItWithTheTab) {
  QLocalSocket socket;
  connectTo(socket);
  const std::shared_ptr<const Study> first = page().whole();
  const std::string bytes = readFile(first->analysisFile);
  const Json rows = {{{"layer", 0}, {"head", 0}, {"mine", 0.25}}, {{"layer", 1}, {"head", 2}, {"mine", 4}}};
  EXPECT_EQ(ask(socket, "add_columns", {{"rows", rows}, {"unit", "ms"}})["result"], Json{"mine"});
  settle();
  const QAbstractItemModel& table = *window->findChild<QTableView*>(QStringLiteral("headTable"))->model();
  const int mine = HeadTableModel::FirstValueColumn;
  EXPECT_EQ(table.headerData(mine, Qt::Horizontal).toString(), QStringLiteral("mine"));
  EXPECT_TRUE(table.headerData(mine, Qt::Horizontal, Qt::ToolTipRole)
                  .toString()
                  .contains(QStringLiteral("Unit: ms")));
  EXPECT_GE(window->findChild<MetricBox*>(QStringLiteral("metricBox"))->findData(QStringLiteral("mine")), 0);
  EXPECT_TRUE(ask(socket, "select", {{"filter", "mine > 1"}}).contains("result"));
  settle();
  EXPECT_EQ(table.rowCount(), 1);
  page().selection().setMetric("mine");
  settle();
  Q_EMIT session->studyJobs.intervalsAdded(file, first);  // computed from the study without the column
  settle();
  EXPECT_EQ(table.rowCount(), 1);
  EXPECT_NE(page().study().analysis->find("heads")->find("mine"), nullptr);
  EXPECT_EQ(readFile(first->analysisFile), bytes) << "it is not saved";
  const Json own = {{{"layer", 0}, {"head", 0}, {"ap_drop", 1}}};
  EXPECT_EQ(ask(socket, "add_columns", {{"rows", own}})["error"]["kind"], 2);
}

TEST_F(WindowServerTest, TheSettingEndsAllConnections) {
  QLocalSocket socket;
  connectTo(socket);
  AppSettings settings = session->state.settings();
  settings.connections = false;
  window->useSettings(settings);
  EXPECT_TRUE(waitFor([&] { return socket.state() == QLocalSocket::UnconnectedState; }));
  EXPECT_TRUE(recordFile().empty());
  socket.connectToServer(QString::fromStdString(place));
  EXPECT_FALSE(socket.waitForConnected(1000));
  settings.connections = true;
  window->useSettings(settings);
  connectTo(socket);
  EXPECT_EQ(ask(socket, "state")["result"]["file"], file.string());
}

}  // namespace
}  // namespace plastiscope
