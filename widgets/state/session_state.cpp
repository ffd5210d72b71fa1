#include "widgets/state/session_state.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <QDateTime>
#include <QTimeZone>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/compare/comparison.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

bool flagIn(const Json& value, const char* key) {
  return value.is_object() && value.contains(key) && value[key] == true;
}

std::set<std::string> textsIn(const Json& value, const char* key) {
  std::set<std::string> texts;
  if (!value.is_object() || !value.contains(key) || !value[key].is_array()) return texts;
  for (const Json& each : value[key]) {
    if (each.is_string()) texts.insert(each.get<std::string>());
  }
  return texts;
}

std::map<std::string, int> looksIn(const Json& value) {
  std::map<std::string, int> looks;
  if (!value.is_object() || !value.contains("looks") || !value["looks"].is_object()) return looks;
  for (const auto& [print, look] : value["looks"].items()) {
    if (look.is_number_integer() && look >= 0 && look < kLooks) looks[print] = look.get<int>();
  }
  return looks;
}

std::vector<std::filesystem::path> pathsIn(const Json& list) {
  std::vector<std::filesystem::path> paths;
  if (!list.is_array()) return paths;
  for (const Json& each : list) {
    if (each.is_string() && !each.get<std::string>().empty())
      paths.push_back(pathOfText(each.get<std::string>()));
  }
  return paths;
}

}  // namespace

Json CompareChoices::toJson() const {
  return {{"of_head", ofHead},          {"tokens", tokens},        {"published", published},
          {"no_intervals", !intervals}, {"own_ranges", ownRanges}, {"map_difference", mapDifference},
          {"against", against},         {"charts", charts},        {"hidden_rows", hiddenRows},
          {"differences", differences}, {"matching", matching},    {"all_heads", allHeads}};
}

CompareChoices CompareChoices::fromJson(const Json& value) {
  CompareChoices choices;
  choices.ofHead = flagIn(value, "of_head");
  choices.tokens = flagIn(value, "tokens");
  choices.published = flagIn(value, "published");
  choices.intervals = !flagIn(value, "no_intervals");
  choices.ownRanges = flagIn(value, "own_ranges");
  choices.mapDifference = flagIn(value, "map_difference");
  if (value.is_object() && value.contains("against") && value["against"].is_number_integer()) {
    const auto against = value["against"].get<std::int64_t>();
    if (against >= 1 && against < 64) choices.against = static_cast<int>(against);
  }
  choices.charts = flagIn(value, "charts");
  choices.allHeads = flagIn(value, "all_heads");
  choices.hiddenRows = textsIn(value, "hidden_rows");
  choices.differences = textsIn(value, "differences");
  choices.matching = textOr(value, "matching");
  return choices;
}

Json BenchmarkChoices::toJson() const {
  return {{"scores", textOfBytes(scores)}, {"predictor", predictor}, {"group", group}};
}

BenchmarkChoices BenchmarkChoices::fromJson(const Json& value) {
  BenchmarkChoices choices;
  choices.scores = bytesOfText(textOr(value, "scores", choices.scores));
  choices.predictor = textOr(value, "predictor", choices.predictor);
  choices.group = textOr(value, "group");
  return choices;
}

Json RunsChoices::toJson() const {
  Json places = Json::array();
  for (const auto& folder : folders) places.push_back(pathText(folder));
  return {{"filter", filter},         {"sort", sort},       {"group", group},
          {"descending", descending}, {"columns", columns}, {"folders", places}};
}

RunsChoices RunsChoices::fromJson(const Json& value) {
  RunsChoices choices{textOr(value, "filter"), textOr(value, "sort"), textOr(value, "group")};
  choices.descending = flagIn(value, "descending");
  if (!value.is_object()) return choices;
  choices.folders = pathsIn(value.value("folders", Json()));
  for (const Json& column : value.value("columns", Json::array()))
    if (column.is_string()) choices.columns.push_back(column);
  return choices;
}

namespace {

Json understood(const SessionTab& tab) {
  Json result = {{"file", pathText(tab.file)}, {"selection", tab.selection.toJson()}};
  for (const auto& file : tab.compared) result["compared"].push_back(pathText(file));
  if (!tab.compared.empty() && !tab.benchmark) result["compare"] = tab.compare.toJson();
  if (!tab.looks.empty()) result["looks"] = tab.looks;
  if (tab.benchmark) result["benchmark"] = tab.benchmark->toJson();
  if (tab.runs) result["runs"] = tab.runs->toJson();
  return result;
}

// The members of `value` that are not in `known`, at any depth.
Json beyond(const Json& value, const Json& known) {
  Json rest = Json::object();
  for (const auto& [key, part] : value.items()) {
    if (!known.contains(key)) {
      rest[key] = part;
    } else if (part.is_object() && known[key].is_object()) {
      if (Json deeper = beyond(part, known[key]); !deeper.empty()) rest[key] = std::move(deeper);
    }
  }
  return rest;
}

// Adds the members of `rest` that are not in `known`.
Json completed(Json known, const Json& rest) {
  for (const auto& [key, part] : rest.items()) {
    if (!known.contains(key))
      known[key] = part;
    else if (known[key].is_object() && part.is_object())
      known[key] = completed(known[key], part);
  }
  return known;
}

std::optional<SessionTab> tabFrom(const Json& value) {
  if (!value.is_object() || !value.contains("file") || !value["file"].is_string()) return std::nullopt;
  SessionTab tab;
  tab.file = pathOfText(value["file"].get<std::string>());
  tab.compared = pathsIn(value.value("compared", Json()));
  tab.compare = CompareChoices::fromJson(value.value("compare", Json()));
  if (value.contains("selection")) tab.selection = ViewSelection::fromJson(value["selection"]);
  if (value.contains("benchmark")) tab.benchmark = BenchmarkChoices::fromJson(value["benchmark"]);
  if (value.contains("runs")) tab.runs = RunsChoices::fromJson(value["runs"]);
  tab.looks = looksIn(value);
  if (tab.file.empty() && tab.compared.empty() && !tab.benchmark && !tab.runs) return std::nullopt;
  tab.unknown = beyond(value, understood(tab));
  return tab;
}

std::map<std::filesystem::path, StudyId> idsFrom(const Json& list) {
  std::map<std::filesystem::path, StudyId> ids;
  if (!list.is_array()) return ids;
  for (const Json& each : list) {
    const StudyId id = StudyId::fromJson(each);
    if (id.known() && each.contains("file") && each["file"].is_string())
      ids[pathOfText(each["file"].get<std::string>())] = id;
  }
  return ids;
}

}  // namespace

std::vector<std::filesystem::path> SessionState::files() const {
  std::vector<std::filesystem::path> files;
  const auto add = [&files](const std::filesystem::path& file) {
    if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
  };
  for (const SessionTab& tab : tabs) {
    add(tab.file);
    for (const auto& file : tab.compared) add(file);
  }
  return files;
}

Json SessionState::toJson() const {
  Json list = Json::array(), studies = Json::array();
  for (const SessionTab& tab : tabs) list.push_back(completed(understood(tab), tab.unknown));
  for (const Json& tab : unknownTabs) list.push_back(tab);
  for (const auto& file : files()) {
    const auto id = ids.find(file);
    if (id == ids.end() || !id->second.known()) continue;
    studies.push_back(id->second.toJson());
    studies.back()["file"] = pathText(file);
  }
  return completed({{"tabs", list}, {"current", current}, {"studies", studies}}, unknown);
}

SessionState SessionState::fromJson(const Json& value) {
  SessionState state;
  if (!value.is_object() || !value.contains("tabs") || !value["tabs"].is_array()) return state;
  for (const Json& each : value["tabs"]) {
    if (auto tab = tabFrom(each))
      state.tabs.push_back(std::move(*tab));
    else if (each.is_object() && !each.empty() && !each.contains("file"))
      state.unknownTabs.push_back(each);
  }
  if (value.contains("current") && value["current"].is_number_integer()) {
    const auto current = value["current"].get<std::int64_t>();
    if (current >= -1 && current < static_cast<std::int64_t>(state.tabs.size()))
      state.current = static_cast<int>(current);
  }
  state.ids = idsFrom(value.value("studies", Json()));
  state.unknown = beyond(value, {{"tabs", 0}, {"current", 0}, {"studies", 0}});
  return state;
}

QString tabsText(std::size_t tabs) {
  return tabs == 1 ? QObject::tr("1 tab") : QObject::tr("%1 tabs").arg(tabs);
}

namespace {

constexpr const char *kEnd = ".json", *kTime = "yyyy-MM-dd hh.mm.ss";
constexpr int kTimeLength = 19;

StateFile document(const fs::path& file) {
  return {file, SessionStore::kFormat, SessionStore::kVersion, StateFile::Copies::None};
}

std::int64_t changedSeconds(const fs::path& file) {
  std::error_code failed;
  const auto time = fs::last_write_time(file, failed);
  if (failed) return QDateTime::currentSecsSinceEpoch();
  const auto system = std::chrono::file_clock::to_sys(time);
  return std::chrono::duration_cast<std::chrono::seconds>(system.time_since_epoch()).count();
}

std::int64_t secondsIn(const fs::path& name) {
  const QDateTime read = QDateTime::fromString(
      QString::fromStdString(name.filename().string()).left(kTimeLength), QString::fromLatin1(kTime));
  const QDateTime time(read.date(), read.time(), QTimeZone::utc());
  return time.isValid() ? time.toSecsSinceEpoch() : changedSeconds(name);
}

// -1: another process holds the lock. Where locks are not supported the window is the first one.
std::optional<int> lockOf(const fs::path& file) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return std::nullopt;
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  const bool held = errno == EWOULDBLOCK;
  ::close(fd);
  return held ? std::optional(-1) : std::nullopt;
}

}  // namespace

SessionStore::SessionStore(fs::path folder)
    : m_folder(std::move(folder)), m_file(m_folder / "session.json", kFormat, kVersion) {
  const auto lock = lockOf(m_folder / "session.lock");
  m_lock = lock.value_or(-1);
  m_first = !(lock && *lock < 0) && !m_file.isOfNewerVersion();
}

SessionStore::~SessionStore() {
  if (m_lock >= 0) ::close(m_lock);
}

bool SessionStore::isFirst() const {
  const std::lock_guard lock(m_mutex);
  return m_first;
}

void SessionStore::standAside() {
  const std::lock_guard lock(m_mutex);
  m_first = false;
  if (m_lock >= 0) ::close(std::exchange(m_lock, -1));
}

SessionState SessionStore::read(std::string* problem) const {
  return SessionState::fromJson(m_file.read(problem));
}

SessionState SessionStore::ofLastRun(std::string* problem) const {
  const std::lock_guard lock(m_mutex);
  if (!m_written) return read(problem);
  const std::vector<fs::path> files = earlierFiles();
  return files.empty() ? SessionState() : SessionState::fromJson(document(files.front()).read(problem));
}

void SessionStore::write(const SessionState& state) {
  const std::lock_guard lock(m_mutex);
  if (!m_first) {
    if (m_own.empty()) m_own = earlierName(QDateTime::currentSecsSinceEpoch());
    return document(m_own).write(state.toJson());
  }
  if (!std::exchange(m_written, true)) {
    if (const Json before = m_file.read(); !SessionState::fromJson(before).tabs.empty())
      keepContent(before, changedSeconds(m_file.path()));
  }
  m_file.write(state.toJson());
}

fs::path SessionStore::keep(const SessionState& state) {
  const std::lock_guard lock(m_mutex);
  return state.tabs.empty() ? fs::path() : keepContent(state.toJson(), QDateTime::currentSecsSinceEpoch());
}

// Names sort by time, within one second by number; the process id makes them unique.
fs::path SessionStore::earlierName(std::int64_t seconds) const {
  const std::string time =
      QDateTime::fromSecsSinceEpoch(seconds).toUTC().toString(QString::fromLatin1(kTime)).toStdString();
  int number = 0;
  for (const fs::path& file : earlierFiles()) {
    const std::string name = file.filename().string();
    if (name.starts_with(time + "-") && name.size() > time.size() + 4)
      number = std::max(number, std::atoi(name.substr(time.size() + 1, 3).c_str()) + 1);
  }
  char tail[40];
  std::snprintf(tail, sizeof tail, "-%03d %d%s", number % 1000, static_cast<int>(::getpid()), kEnd);
  return m_folder / "sessions" / (time + tail);
}

fs::path SessionStore::keepContent(const Json& content, std::int64_t seconds) {
  std::vector<fs::path> files = earlierFiles();
  if (!files.empty() && document(files.front()).read() == content) return files.front();
  const fs::path kept = earlierName(seconds);
  document(kept).write(content);
  files = earlierFiles();
  std::error_code ignored;
  for (std::size_t i = kMaxEarlier; i < files.size(); ++i) fs::remove(files[i], ignored);
  return kept;
}

std::vector<fs::path> SessionStore::earlierFiles() const {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto& each : fs::directory_iterator(m_folder / "sessions", failed)) {
    if (each.path().extension() == kEnd && each.path() != m_own) files.push_back(each.path());
  }
  std::sort(files.rbegin(), files.rend());
  return files;
}

std::vector<EarlierSession> SessionStore::earlier() const {
  const std::lock_guard lock(m_mutex);
  std::vector<EarlierSession> sessions;
  for (const fs::path& file : earlierFiles()) {
    if (sessions.size() == kMaxEarlier) break;
    SessionState state = SessionState::fromJson(document(file).read());
    if (!state.tabs.empty()) sessions.push_back({file, secondsIn(file), std::move(state.tabs)});
  }
  return sessions;
}

SessionState SessionStore::readNamed(const fs::path& file) {
  return SessionState::fromJson(document(file).require());
}

void SessionStore::writeNamed(const SessionState& state, const fs::path& file) {
  std::error_code ignored;
  if (fs::exists(file, ignored) && stateFormatOf(file) != kFormat)
    throw InputError({file, "", "a new file or a session", "another file"});
  if (document(file).isOfNewerVersion())
    throw InputError(
        {file, "", "", "a newer version of Plastiscope wrote this session; choose another name"});
  document(file).write(state.toJson());
}

}  // namespace plastiscope
