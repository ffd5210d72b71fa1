#include "core/sweep/library_session.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/natural_order.h"
#include "core/base/path_text.h"
#include "core/base/state_document.h"
#include "core/compare/compare_matrix.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

struct FinishedAnalysis {
  std::string model;
  fs::path file;
};
using Comparisons =
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<FinishedAnalysis>>;

// Comparisons of one analysis per model, or of all analyses if there is one model.
Comparisons comparisonsOf(const std::vector<SweepRun>& runs) {
  const bool oneModel = std::all_of(runs.begin(), runs.end(),
                                    [&](const SweepRun& run) { return run.model == runs.front().model; });
  Comparisons comparisons;
  std::error_code ignored;
  for (const SweepRun& run : runs) {
    for (const SweepAnalysis& analysis : run.analyses) {
      if (!fs::is_regular_file(analysis.out, ignored)) continue;
      const auto key = oneModel ? std::tuple(std::string(), std::string(), analysis.name)
                                : std::tuple(run.texts, run.kind, analysis.name);
      comparisons[key].push_back({run.model, analysis.out});
    }
  }
  for (auto& [key, files] : comparisons) {
    std::stable_sort(files.begin(), files.end(), [](const FinishedAnalysis& a, const FinishedAnalysis& b) {
      return naturallyBefore(a.model, b.model);
    });
  }
  return comparisons;
}

// Evenly spaced entries, including the first and the last.
std::vector<FinishedAnalysis> thinned(const std::vector<FinishedAnalysis>& all) {
  if (all.size() <= kMaxMatrixColumns) return all;
  std::vector<FinishedAnalysis> some;
  for (std::size_t i = 0; i < kMaxMatrixColumns; ++i)
    some.push_back(all[i * (all.size() - 1) / (kMaxMatrixColumns - 1)]);
  return some;
}

Json tabsOf(const std::vector<SweepRun>& runs) {
  Json tabs = Json::array();
  for (const auto& [key, files] : comparisonsOf(runs)) {
    Json tab{{"file", files.size() == 1 ? pathText(files.front().file) : std::string()}};
    if (files.size() > 1) {
      for (const FinishedAnalysis& each : thinned(files)) tab["compared"].push_back(pathText(each.file));
      tab["compare"] = {{"charts", true}};
    }
    tabs.push_back(std::move(tab));
  }
  return tabs;
}

}  // namespace

// Repeats until no other process has finished a file in the meantime.
void writeLibrarySession(const std::vector<SweepRun>& runs, const fs::path& library) {
  Json written = Json::array();
  for (Json tabs = tabsOf(runs); tabs != written; tabs = tabsOf(runs)) {
    writeFileAtomically(library / kLibrarySession,
                        stateDocument(kSessionFormat, kSessionVersion, {{"tabs", tabs}, {"current", 0}}));
    written = std::move(tabs);
  }
}

}  // namespace plastiscope
