#include <poll.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <httplib.h>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/jobs/study_job.h"
#include "core/jobs/study_page.h"
#include "core/jobs/study_server.h"

namespace plastiscope {

namespace {

constexpr const char* kLoopback = "127.0.0.1";

struct ServeOptions {
  std::vector<std::string> files;
  int port = 0;
  bool untilClosed = false;
  StudyServerOptions server;
};

// 128 random bits that every request has to contain.
std::string newToken() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) {
    char part[9];
    std::snprintf(part, sizeof part, "%08x", random());
    token += part;
  }
  return token;
}

// A page of another site that names this computer in its DNS sends its own name as Host.
bool isThisComputer(const std::string& host) {
  const std::string name = host.substr(0, host.rfind(':'));
  return name == kLoopback || name == "localhost" || name == "[::1]";
}

// Content of a provider is not compressed: the library would spend 0.2 s of Brotli on the answers to one
// click.
void send(httplib::Response& response, std::string content, const char* type) {
  const auto text = std::make_shared<const std::string>(std::move(content));
  response.set_content_provider(text->size(), type, [text](auto from, auto count, httplib::DataSink& sink) {
    return sink.write(text->data() + from, count);
  });
}

void addHandlers(httplib::Server& http, const StudyServer& server, const std::string& token) {
  const std::string root = "/" + token + "/";
  http.set_pre_routing_handler([root](const httplib::Request& request, httplib::Response& response) {
    if (isThisComputer(request.get_header_value("Host")) && request.path.starts_with(root))
      return httplib::Server::HandlerResponse::Unhandled;
    response.status = 403;
    response.set_content("The address must be the one that plastiscope-cli serve printed.\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
  http.set_default_headers({{"Cache-Control", "no-store"}, {"Referrer-Policy", "no-referrer"}});
  http.Get(root, [](const httplib::Request& request, httplib::Response& response) {
    const char* transport = request.has_param("notebook") ? "notebook" : "served";
    std::string page = studyPageAround({{transport, true}});
    const std::string images = "img-src data:";
    page.insert(page.find(images) + images.size(), "; connect-src 'self'");
    send(response, std::move(page), "text/html; charset=utf-8");
  });
  http.Get(root + "api/([a-z-]+)", [&server](const httplib::Request& request, httplib::Response& response) {
    Json answer = server.answer({request.matches[1], {request.params.begin(), request.params.end()}});
    send(response, answer.dump(-1, ' ', false, Json::error_handler_t::replace), "application/json");
    emptyJson(answer);
  });
}

// Whether the other end of standard input was closed.
bool inputClosed() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (poll(&input, 1, 0) <= 0) return false;
  char byte = 0;
  return read(STDIN_FILENO, &byte, 1) <= 0;
}

void tellAddress(const GlobalOptions& globals, int port, const std::string& token) {
  printLine("http://" + std::string(kLoopback) + ":" + std::to_string(port) + "/" + token + "/");
  std::fflush(stdout);
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const passwd* user = getpwuid(geteuid());
  const std::string there = (user != nullptr ? std::string(user->pw_name) + "@" : "") + host;
  tell(globals, "From another computer: run  ssh -C -N -L " + std::to_string(port) + ":" + kLoopback + ":" +
                    std::to_string(port) + " " + there + "  there and open the same address. Ctrl-C ends.");
}

void serve(const ServeOptions& o, const GlobalOptions& globals, Progress& progress) {
  std::vector<std::shared_ptr<const Study>> studies;
  for (const std::string& file : o.files)
    studies.push_back(openStudy(std::filesystem::path(file), AnalysisSettings(), globals.threads, progress));
  const StudyServer server(std::move(studies), o.server);
  const std::string token = newToken();
  httplib::Server http;
  addHandlers(http, server, token);
  http.set_tcp_nodelay(true);
  http.set_socket_options([](int socket) {  // the library's own would share a port that is in use
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  int port = o.port;
  if (port == 0)
    port = http.bind_to_any_port(kLoopback);
  else if (!http.bind_to_port(kLoopback, port))
    throw ResourceError("port " + std::to_string(port) +
                        " cannot be used, probably because a program uses it: give another --port");
  tellAddress(globals, port, token);
  std::thread listener([&http] { http.listen_after_bind(); });
  while (!progress.stopRequested() && !(o.untilClosed && inputClosed()))
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  while (!http.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  http.stop();
  listener.join();
}

}  // namespace

ProgramCommand serveCommand(GlobalOptions& global) {
  auto o = std::make_shared<ServeOptions>();
  return {
      .options = {option("STUDY", &o->files, "Captures or analyses; several are also compared",
                         {.required = true}),
                  option("--port", &o->port, "Port of this computer; 0: a free one",
                         {.showsDefault = true, .limit = Limit::Between, .least = 0, .most = 65535}),
                  option("--plasticity", choiceOf(o->server.plasticity),
                         "AP that is shown: aligned, where the analyses have it, or binned, as in the thesis",
                         {.showsDefault = true}),
                  option("--until-closed", &o->untilClosed,
                         "End when standard input is closed, for programs that start this command"),
                  progressOption(global)},
      .run = [o](const GlobalOptions& globals, Progress& progress) { serve(*o, globals, progress); }};
}

}  // namespace plastiscope
