#include "core/causal/experiment_run.h"

#include <algorithm>
#include <map>

#include "core/base/files.h"

namespace plastiscope {

namespace fs = std::filesystem;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OutcomeSum, nll, correct)

namespace {

constexpr std::size_t kChangesTogether = 64;  // results are kept after as many
constexpr const char* kUnchanged = "";

// The kept result of a text: [classes] by change; kUnchanged.
using TextSums = std::map<std::string, std::vector<OutcomeSum>>;

std::string stepOf(std::size_t probe) {
  return "text-" + std::to_string(probe);
}

TextSums keptSums(const KeptResults& kept, std::size_t probe) {
  return kept.read<TextSums>(stepOf(probe)).value_or(TextSums());
}

std::string keyOf(const ExperimentWork& work, std::size_t number) {
  const HeadChange& change = work.design.changes[number];
  return work.ways[change.way] + " " + headListText(change.heads);
}

// Indices of the changes whose results are missing.
std::vector<std::size_t> missingOf(const ExperimentWork& work, const TextSums& sums) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < work.design.changes.size(); ++i)
    if (!sums.contains(keyOf(work, i))) missing.push_back(i);
  return missing;
}

}  // namespace

std::vector<RunStep> remainingSteps(const ExperimentWork& work, const KeptResults& kept, CapturePart part,
                                    const RunChanges& run) {
  std::vector<RunStep> steps;
  for (std::size_t probe = part.index; probe < work.probes.size(); probe += part.count) {
    const std::vector<std::size_t> missing = missingOf(work, keptSums(kept, probe));
    for (std::size_t begin = 0; begin < missing.size(); begin += kChangesTogether) {
      const std::size_t end = std::min(begin + kChangesTogether, missing.size());
      const std::vector<std::size_t> some(missing.begin() + begin, missing.begin() + end);
      RunStep& step = steps.emplace_back();
      step.units = static_cast<double>(some.size());
      for (const std::size_t i : some) step.work += work.cost.empty() ? 1 : work.cost[i];
      step.work *= static_cast<double>(work.probes[probe].tokens.size());
      if (end == missing.size()) step.finished = {work.probes[probe].id};
      step.run = [&work, &kept, &run, probe, some](Progress& inside) {
        const ProbeClasses classes = classesOf(work.probes[probe]);
        const std::vector<Outcomes> outcomes = run(probe, some, inside);
        TextSums sums = keptSums(kept, probe);
        sums[kUnchanged] = sumsOf(classes, outcomes.at(0));
        for (std::size_t i = 0; i < some.size(); ++i)
          sums[keyOf(work, some[i])] = sumsOf(classes, outcomes.at(i + 1));
        kept.write(stepOf(probe), sums);
      };
    }
  }
  return steps;
}

std::vector<ProbeSums> runTexts(const ExperimentWork& work, const fs::path& folder, CapturePart part,
                                const RunChanges& run, Progress& progress) {
  requireWritableFolderOf(folder / "text");
  const KeptResults kept(folder, work.settingsHash);
  const std::int64_t runs = textsIn(part, std::ssize(work.probes)) * std::ssize(work.design.changes);
  kept.run("study", "run", static_cast<double>(runs), remainingSteps(work, kept, part, run), progress);
  std::vector<ProbeSums> all(work.probes.size());
  for (std::size_t probe = 0; probe < work.probes.size(); ++probe) {
    const TextSums sums = keptSums(kept, probe);
    if (!sums.contains(kUnchanged) || !missingOf(work, sums).empty()) continue;
    all[probe].push_back(sums.at(kUnchanged));
    for (std::size_t i = 0; i < work.design.changes.size(); ++i)
      all[probe].push_back(sums.at(keyOf(work, i)));
  }
  return all;
}

}  // namespace plastiscope
