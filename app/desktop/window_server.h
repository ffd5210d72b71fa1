#pragma once
// Lets programs of the same user, such as the Python package, operate the window. Each line of a local socket
// is a request in JSON, answered by a line; a file that only the user can read has the socket's name and the
// token:
//   {"id": 1, "token": "...", "method": "open", "parameters": {"file": "/data/study.h5"}}
//   {"id": 1, "result": {...}}   or   {"id": 1, "error": {"kind": 2, "message": "..."}}; kind: as an exit
//   code
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
