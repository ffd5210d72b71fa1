#include "core/causal/experiment_run.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kChangesTogether = 64;  // results are kept after as many
constexpr const char* kUnchanged = "";

// ---- results of a text: sums by change, in one file

using TextSums = std::map<std::string, std::vector<OutcomeSum>>;  // [classes] by change; kUnchanged

bool isIn(CapturePart part, std::size_t probe) {
  return static_cast<std::int64_t>(probe) % part.count == part.index;
}

fs::path fileOf(const fs::path& folder, std::size_t probe) {
  return folder / ("text-" + std::to_string(probe) + ".json");
}

std::string keyOf(const ExperimentWork& work, std::size_t number) {
  const HeadChange& change = work.design.changes[number];
  return work.ways[change.way] + " " + headListText(change.heads);
}

// Empty if the file is missing, damaged or of other settings: the text then runs again.
TextSums readSums(const ExperimentWork& work, const fs::path& folder, std::size_t probe) {
  const std::size_t classes = classesOf(work.probes[probe]).classes.size();
  TextSums sums;
  try {
    const Json json = readJsonFile(fileOf(folder, probe));
    if (json.at("settings_hash") != work.settingsHash) return {};
    for (const auto& [key, list] : json.at("sums").items()) {
      std::vector<OutcomeSum>& ofChange = sums[key];
      for (const Json& sum : list)
        ofChange.push_back({sum.at(0).get<double>(), sum.at(1).get<std::int64_t>()});
      if (ofChange.size() != classes) return {};
    }
  } catch (const std::exception&) {
    return {};
  }
  return sums;
}

void writeSums(const ExperimentWork& work, const fs::path& folder, std::size_t probe, const TextSums& sums) {
  Json json = Json::object();
  for (const auto& [key, ofChange] : sums) {
    Json& list = json[key] = Json::array();
    for (const OutcomeSum& sum : ofChange) list.push_back({sum.nll, sum.correct});
  }
  writeFileAtomically(fileOf(folder, probe),
                      canonicalJson({{"settings_hash", work.settingsHash}, {"sums", json}}));
}

// Indices of the changes whose results are missing.
std::vector<std::size_t> missingOf(const ExperimentWork& work, const TextSums& sums) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < work.design.changes.size(); ++i)
    if (!sums.contains(keyOf(work, i))) missing.push_back(i);
  return missing;
}

// Tokens that run through all layers for these changes of a text and the unchanged text beside them.
double tokensOf(const ExperimentWork& work, std::size_t probe, std::span<const std::size_t> changes) {
  double whole = 1;
  for (const std::size_t i : changes) whole += work.cost.empty() ? 1 : work.cost[i];
  return whole * static_cast<double>(work.probes[probe].tokens.size());
}

}  // namespace

std::vector<ProbeSums> runTexts(const ExperimentWork& work, const fs::path& folder, CapturePart part,
                                const RunChanges& run, Progress& progress) {
  requireWritableFolderOf(folder / "text");
  const RemainingRuns remaining = remainingRuns(work, folder, part);
  ProgressState state{"study",
                      static_cast<double>(remaining.finished),
                      static_cast<double>(remaining.finished + remaining.runs),
                      "run",
                      -1,
                      -1};
  progress.started("study", canonicalJson({{"settings_hash", work.settingsHash}}));
  progress.advanced(state);
  RateMeter meter(remaining.tokens);
  InnerProgress inside(progress);
  for (std::size_t probe = 0; probe < work.probes.size(); ++probe) {
    if (!isIn(part, probe)) continue;
    const ProbeClasses classes = classesOf(work.probes[probe]);
    TextSums sums = readSums(work, folder, probe);
    const std::vector<std::size_t> missing = missingOf(work, sums);
    for (std::size_t begin = 0; begin < missing.size(); begin += kChangesTogether) {
      progress.throwIfStopped();
      const auto some = std::span(missing).subspan(begin, std::min(kChangesTogether, missing.size() - begin));
      const std::vector<Outcomes> outcomes = run(probe, some, inside);
      sums[kUnchanged] = sumsOf(classes, outcomes.at(0));
      for (std::size_t i = 0; i < some.size(); ++i)
        sums[keyOf(work, some[i])] = sumsOf(classes, outcomes.at(i + 1));
      writeSums(work, folder, probe, sums);
      meter.add(tokensOf(work, probe, some));
      state.done += static_cast<double>(some.size());
      state.etaSeconds = meter.etaSeconds();
      progress.advanced(state);
    }
    if (!missing.empty()) progress.unitFinished(work.probes[probe].id);
  }
  std::vector<ProbeSums> all(work.probes.size());
  for (std::size_t probe = 0; probe < work.probes.size(); ++probe) {
    const TextSums sums = readSums(work, folder, probe);
    if (!sums.contains(kUnchanged) || !missingOf(work, sums).empty()) continue;
    all[probe].push_back(sums.at(kUnchanged));
    for (std::size_t i = 0; i < work.design.changes.size(); ++i)
      all[probe].push_back(sums.at(keyOf(work, i)));
  }
  return all;
}

RemainingRuns remainingRuns(const ExperimentWork& work, const fs::path& folder, CapturePart part) {
  RemainingRuns remaining;
  for (std::size_t probe = 0; probe < work.probes.size(); ++probe) {
    if (!isIn(part, probe)) continue;
    const std::vector<std::size_t> missing = missingOf(work, readSums(work, folder, probe));
    ++remaining.texts;
    remaining.runs += std::ssize(missing);
    remaining.finished += std::ssize(work.design.changes) - std::ssize(missing);
    for (std::size_t begin = 0; begin < missing.size(); begin += kChangesTogether)
      remaining.tokens += tokensOf(
          work, probe, std::span(missing).subspan(begin, std::min(kChangesTogether, missing.size() - begin)));
  }
  return remaining;
}

}  // namespace plastiscope
