#pragma once
// The tabs that were open: kept while the program runs, restored at the next start.
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

// How a compare tab shows its models.
struct CompareChoices {
  bool ofHead = false;         // profiles of the selected head instead of the mean over heads
  bool tokens = false;         // positions in tokens instead of shares of the window
  bool published = false;      // with the thesis' curves
  bool intervals = true;       // with the 95 % intervals of means
  bool ownRanges = false;      // colours of each model's own range instead of one for all
  bool mapDifference = false;  // the difference of the plasticity maps instead of the head grids
  int against = 1;             // model whose difference from the first is shown
  bool charts = false;         // panels of pictures over each other instead of the matrix
  std::set<std::string> hiddenRows = {}, differences = {};  // of the matrix (names of MatrixRow)
  bool allHeads = false;      // those of each instead of those that all have
  std::string matching = {};  // of heads: "name", "depth"; "" = by name where the shapes are the same
  bool operator==(const CompareChoices&) const = default;

  Json toJson() const;
  static CompareChoices fromJson(const Json& value);  // what is not understood keeps its default
};

// What a benchmarks tab shows.
struct BenchmarkChoices {
  std::string scores = "longbench_pro";  // a name of benchmarkNames() or a CSV file
  std::string predictor = "ap_drop";
  std::string group;  // ScoreGroup::text(); "" = the scores of the most models
  bool operator==(const BenchmarkChoices&) const = default;

  Json toJson() const;
  static BenchmarkChoices fromJson(const Json& value);  // what is not understood keeps its default
};

struct SessionTab {
  std::filesystem::path file;  // capture or analysis; empty in a compare tab
  ViewSelection selection;
  std::vector<std::filesystem::path> compared = {};  // the files of a compare tab
  CompareChoices compare = {};
  std::optional<BenchmarkChoices> benchmark = {};  // a benchmarks tab; `compared` are the own analyses
  JsonValue unknown = JsonValue::object();         // fields of other versions survive
  std::map<std::string, int> looks = {};           // of the captures of a compare tab, by their print
};

struct SessionState {
  std::vector<SessionTab> tabs;
  int current = -1;                              // index into tabs; -1 = the welcome page
  std::map<std::filesystem::path, StudyId> ids;  // of the files of the tabs, as far as they are known
  JsonValue unknown = JsonValue::object();       // fields of other versions survive
  std::vector<JsonValue> unknownTabs = {};       // of kinds that this version does not know

  std::vector<std::filesystem::path> files() const;  // of all tabs, each once
  Json toJson() const;
  static SessionState fromJson(const Json& value);  // damaged tabs are skipped
};

// "9 tabs"
QString tabsText(std::size_t tabs);

}  // namespace plastiscope
