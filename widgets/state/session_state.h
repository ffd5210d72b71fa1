#pragma once
// Sessions: the open tabs, saved while the program runs and restored at the next start.
#include <QString>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/state_document.h"
#include "core/base/state_file.h"
#include "core/store/stored_file.h"
#include "widgets/state/selection.h"

namespace plastiscope {

// Options of a compare tab.
struct CompareChoices {
  bool ofHead = false;         // profiles of the selected head instead of the mean over heads
  bool tokens = false;         // positions in tokens instead of shares of the window
  bool published = false;      // with the curves of the thesis
  bool intervals = true;       // with the 95 % intervals of means
  bool ownRanges = false;      // colours over each model's range instead of a common one
  bool mapDifference = false;  // the difference of the plasticity maps instead of the head grids
  int against = 1;             // model compared with the first one
  bool charts = false;         // overlaid charts instead of the matrix
  std::set<std::string> hiddenRows = {}, differences = {};  // rows of the matrix (names of MatrixRow)
  bool allHeads = false;      // heads of each model instead of common heads only
  std::string matching = {};  // matching of heads: "name", "depth"; "" = by name for equal shapes
  bool operator==(const CompareChoices&) const = default;

  Json toJson() const;
  static CompareChoices fromJson(const Json& value);  // invalid values keep their defaults
};

// Options of a benchmarks tab.
struct BenchmarkChoices {
  std::string scores = "longbench_pro";  // a name of benchmarkNames() or a CSV file
  std::string predictor = "ap_drop";
  std::string group;  // ScoreGroup::text(); "" = the scores with the most models
  bool operator==(const BenchmarkChoices&) const = default;

  Json toJson() const;
  static BenchmarkChoices fromJson(const Json& value);  // invalid values keep their defaults
};

// Options of the tab of runs.
struct RunsChoices {
  std::string filter = {}, sort = {}, group = {};  // sort, group: columns; "" = none
  bool descending = false;
  std::vector<std::string> columns = {};            // empty: those shown at first
  std::vector<std::filesystem::path> folders = {};  // empty: those of the library
  bool operator==(const RunsChoices&) const = default;

  Json toJson() const;
  static RunsChoices fromJson(const Json& value);  // invalid values keep their defaults
};

struct SessionTab {
  std::filesystem::path file;  // capture or analysis; empty in a compare tab
  ViewSelection selection;
  std::vector<std::filesystem::path> compared = {};  // the files of a compare tab
  CompareChoices compare = {};
  std::optional<BenchmarkChoices> benchmark = {};  // for a benchmarks tab; `compared` has the user's analyses
  std::optional<RunsChoices> runs = {};            // for the tab of runs
  JsonValue unknown = JsonValue::object();         // fields of other versions are kept
  std::map<std::string, int> looks = {};           // looks of the captures of a compare tab, by fingerprint
};

struct SessionState {
  std::vector<SessionTab> tabs;
  int current = -1;                              // index into tabs; -1 = the welcome page
  std::map<std::filesystem::path, StudyId> ids;  // ids of the files of the tabs, where known
  JsonValue unknown = JsonValue::object();       // fields of other versions are kept
  std::vector<JsonValue> unknownTabs = {};       // tabs of kinds unknown to this version

  std::vector<std::filesystem::path> files() const;  // files of all tabs, each once
  Json toJson() const;
  static SessionState fromJson(const Json& value);  // damaged tabs are skipped
};

// "9 tabs"
QString tabsText(std::size_t tabs);

// A session of an earlier run, or of another window.
struct EarlierSession {
  std::filesystem::path file;
  std::int64_t savedSeconds = 0;  // since 1970
  std::vector<SessionTab> tabs;
};

// Stores sessions. Only the first window writes the session that the next start restores; its lock ends with
// its process. Other windows write their own session beside the earlier ones. Thread-safe.
class SessionStore {
 public:
  static constexpr std::size_t kMaxEarlier = 12;
  static constexpr int kVersion = kSessionVersion;
  static constexpr const char* kFormat = kSessionFormat;

  explicit SessionStore(std::filesystem::path folder);
  ~SessionStore();
  SessionStore(const SessionStore&) = delete;
  SessionStore& operator=(const SessionStore&) = delete;

  // True if this window writes the session that the next start restores.
  bool isFirst() const;
  // Called when this window shows another session: releases the main session to other windows.
  void standAside();

  // The session restored at a start. `problem` as in StateFile::read().
  SessionState read(std::string* problem = nullptr) const;
  // The session of the previous run, even if this window has written its own since.
  SessionState ofLastRun(std::string* problem = nullptr) const;
  // Saves the previous run's session first. InputError or ResourceError when the folder is not usable.
  void write(const SessionState& state);
  // Saves tabs that will be replaced; returns the file, "" = there were no tabs. Throws like write().
  std::filesystem::path keep(const SessionState& state);
  std::vector<EarlierSession> earlier() const;  // newest first; not the one of this window

  // Session files of the user with absolute paths. InputError for a file that is no session, is damaged, or
  // was written by a newer version.
  static SessionState readNamed(const std::filesystem::path& file);
  // InputError when the file exists and is no session; throws like write().
  static void writeNamed(const SessionState& state, const std::filesystem::path& file);

 private:
  std::filesystem::path earlierName(std::int64_t seconds) const;
  std::filesystem::path keepContent(const Json& content, std::int64_t seconds);
  std::vector<std::filesystem::path> earlierFiles() const;  // newest first

  std::filesystem::path m_folder;
  StateFile m_file;
  mutable std::mutex m_mutex;  // guards all members below
  int m_lock = -1;
  bool m_first = false, m_written = false;
  std::filesystem::path m_own;  // file of a window other than the first
};

}  // namespace plastiscope
