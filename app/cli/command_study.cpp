#include <cstdio>
#include <cstdlib>

#include "app/cli/command.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/causal/experiment_job.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

struct StudyOptions {
  fs::path file, out;
  std::string part;
  bool estimate = false, json = false, fresh = false, force = false;
};

ExperimentRequest requestOf(const StudyOptions& o, const GlobalOptions& global) {
  ExperimentRequest request{readExperiment(o.file), {}};
  ProbeRequest& probes = request.plan.probes;
  if (!o.out.empty()) probes.out = o.out;
  probes.run.threads = global.threads;
  probes.rules.otherSettings = o.fresh;
  probes.rules.force = o.force;
  if (!o.part.empty()) {
    request.part = CapturePart::parse(o.part);
  } else if (const auto part = clusterPart([](const char* name) { return std::getenv(name); })) {
    request.part = *part;
    tell(global, "part " + part->text() +
                     ", from the environment variables of the job; use --part 0/1 to take all texts");
  }
  return request;
}

void printEstimate(const ExperimentEstimate& e, bool json) {
  if (json) {
    const Json all = {{"texts", e.texts}, {"changes", e.changes}, {"runs", e.runs}, {"seconds", e.seconds}};
    std::printf("%s\n", canonicalJson(all).c_str());
    return;
  }
  std::printf("texts     %s\nchanges   %s of each text\nruns      %s to do\ntime      about %s\n",
              withCommas(e.texts).c_str(), withCommas(e.changes).c_str(), withCommas(e.runs).c_str(),
              durationText(e.seconds).c_str());
}

void study(const StudyOptions& o, const GlobalOptions& global, Progress& progress) {
  const ExperimentRequest request = requestOf(o, global);
  if (o.estimate) return printEstimate(estimateExperiment(request, progress), o.json);
  ExperimentOutcome outcome;
  try {
    outcome = runExperiment(request, progress);
  } catch (const Stopped&) {
    throw Stopped("stopped on request; finished runs are kept, and the same command continues the study");
  }
  const std::string folder = request.plan.probes.out.string();
  if (outcome.wasFinished)
    tell(global, folder +
                     ": these tables already exist with the same settings and were not changed; "
                     "use --fresh to make them again");
  if (outcome.finished < outcome.texts)
    tell(global, std::to_string(outcome.finished) + " of " + std::to_string(outcome.texts) +
                     " texts are finished; the part that finishes the last one writes the tables");
  if (global.quiet || outcome.tables.empty()) return;
  const Table* sentences = findTable(outcome.tables, "sentences");
  for (const std::string& sentence : sentences->texts("sentence")) printLine(sentence);
  printLine(std::to_string(outcome.tables.size()) + " tables in " + folder);
}

// The keys of the file, each with its help.
std::string keyList() {
  ExperimentPlan plan;
  HeadRanking ranking;
  std::string text;
  const auto add = [&text](const std::string& title, const OptionList& options) {
    text += "\n" + title + "\n";
    for (const Option& option : options)
      if (option.name.starts_with("--")) text += "  " + option.name.substr(2) + ": " + option.help + "\n";
  };
  add("Keys of the file (resources/help/causes.md):", experimentOptions(plan));
  add("Keys of each [[ranking]]:", rankingOptions(ranking));
  add("Keys of [probes]:", probeOptions(plan.probes.settings));
  return text;
}

}  // namespace

ProgramCommand studyCommand(GlobalOptions& global) {
  auto o = std::make_shared<StudyOptions>();
  OptionList options = {
      option("STUDY", &o->file, "TOML file with the model, the texts and the heads to change",
             {.required = true}),
      option("--out", &o->out,
             "Folder of the tables; default: the key out of the file, else its name without .toml"),
      option("--part", &o->part,
             "Part I of N of the texts, I from 0, such as 0/4. Default: from the environment variables of an "
             "array job, torchrun or MPI, else all texts; 0/1 always takes all texts"),
      option("--estimate", &o->estimate, "Print the number of runs and their time, and stop"),
      option("--json", &o->json, "Print the estimate as JSON"),
      option("--fresh", &o->fresh,
             "Make finished tables again, and replace tables of other settings. Finished runs are kept"),
      forceOption(o->force),
      progressOption(global)};
  return {.footer = keyList(),
          .options = std::move(options),
          .run = [o](const GlobalOptions& globals, Progress& progress) {
            continueWithBackend(globals);
            study(*o, globals, progress);
          }};
}

}  // namespace plastiscope
