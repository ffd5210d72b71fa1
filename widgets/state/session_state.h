#pragma once
// Open tabs: saved while the program runs, restored at the next start.
#include <QString>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/json_value.h"
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

struct SessionTab {
  std::filesystem::path file;  // capture or analysis; empty in a compare tab
  ViewSelection selection;
  std::vector<std::filesystem::path> compared = {};  // the files of a compare tab
  CompareChoices compare = {};
  std::optional<BenchmarkChoices> benchmark = {};  // for a benchmarks tab; `compared` has the user's analyses
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

}  // namespace plastiscope
