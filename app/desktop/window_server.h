#pragma once
// Lets programs of the same user, such as the Python package, operate the window. Requests and answers are
// lines of JSON on a local socket; its name and a token are in a file that only the user can read. The form
// of the lines: app/python/README.md.
#include "app/desktop/job_set.h"
#include "app/desktop/session.h"

class QLocalServer;
class QLocalSocket;

namespace plastiscope {

class CheckedJson;
class MainWindow;

class WindowServer : public QObject {
  Q_OBJECT
 public:
  WindowServer(MainWindow& window, Session& session);  // listens as the settings say
  ~WindowServer() override { listen(false); }

 private:
  using Answer = std::function<void(const JobResult<JsonValue>&)>;
  void state(const CheckedJson& parameters, const Answer& answer);
  void open(const CheckedJson& parameters, const Answer& answer);
  void select(const CheckedJson& parameters, const Answer& answer);
  void addColumns(const CheckedJson& parameters, const Answer& answer);

  void listen(bool wanted);  // false: ends all connections
  void handle(QLocalSocket& socket, const QByteArray& line);

  MainWindow& m_window;
  Session& m_session;
  QLocalServer* m_server = nullptr;  // null: nothing may connect
  std::filesystem::path m_record;    // the file with the token
  std::string m_token;
  JobSet m_jobs;
};

}  // namespace plastiscope
