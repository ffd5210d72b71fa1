// Commands that run models with changed heads or made texts: probe, composition, study.
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/causal/composition_job.h"
#include "core/causal/experiment_job.h"
#include "core/causal/probe_job.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

// Sets the threads and the folder of the tables, which all three commands have.
void prepare(ProbeRequest& request, const TableTarget& tables, const GlobalOptions& globals) {
  request.run.threads = globals.threads;
  if (!tables.csv.empty()) request.out = tables.csv;
  request.rules.otherSettings = tables.fresh;
  request.rules.force = tables.force;
}

ProgramCommand commandOf(OptionList options, TableTarget& tables, GlobalOptions& global,
                         const std::function<void(const GlobalOptions&, Progress&)>& run) {
  addTableTarget(options, tables);
  options.push_back(progressOption(global));
  return {.options = std::move(options), .run = [run](const GlobalOptions& globals, Progress& progress) {
            continueWithBackend(globals);
            run(globals, progress);
          }};
}

struct StudyOptions {
  fs::path file;
  TableTarget tables;
  std::string part;
  bool estimate = false, json = false;
};

ExperimentRequest requestOf(const StudyOptions& o, const GlobalOptions& global) {
  ExperimentRequest request{readExperiment(o.file), {}};
  prepare(request.plan.probes, o.tables, global);
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
  const ExperimentOutcome outcome = runExperiment(request, progress);
  const std::string folder = request.plan.probes.out.string();
  if (outcome.wasFinished) tellFinished(folder, global);
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

ProgramCommand probeCommand(GlobalOptions& global) {
  struct ProbeOptions {
    ProbeRequest request;
    TableTarget tables;
  };
  auto o = std::make_shared<ProbeOptions>();
  OptionList options = probeRequestOptions(o->request);
  options.push_back(
      option("--csv", &o->tables.csv,
             "Run the probes and write probes.csv, benefit.csv and retrieval.csv into this folder"));
  options.push_back(option("--write", &o->request.write,
                           "Write the probes as token ids into this .jsonl file, for capture --tokens"));
  return commandOf(std::move(options), o->tables, global, [o](const auto& globals, Progress& progress) {
    const std::string& csv = o->tables.csv;
    if (csv.empty() && o->request.write.empty())
      throw UsageError("probe needs --csv FOLDER or --write FILE.jsonl");
    prepare(o->request, o->tables, globals);
    if (!runProbes(o->request, progress)) tellFinished(csv, globals);
    if (!globals.quiet) printLine(csv.empty() ? o->request.write.string() : csv);
  });
}

ProgramCommand compositionCommand(GlobalOptions& global) {
  struct CompositionOptions {
    CompositionRequest request;
    TableTarget tables;
  };
  auto o = std::make_shared<CompositionOptions>();
  OptionList options = compositionOptions(o->request);
  options.push_back(option("--csv", &o->tables.csv, "Write edges.csv into this folder"));
  return commandOf(std::move(options), o->tables, global, [o](const auto& globals, Progress& progress) {
    if (o->tables.csv.empty()) throw UsageError("composition needs --csv FOLDER");
    prepare(o->request.probes, o->tables, globals);
    if (!runComposition(o->request, progress)) tellFinished(o->tables.csv, globals);
    if (!globals.quiet) printLine(o->tables.csv);
  });
}

ProgramCommand studyCommand(GlobalOptions& global) {
  auto o = std::make_shared<StudyOptions>();
  OptionList options = {
      option("STUDY", &o->file, "TOML file with the model, the texts and the heads to change",
             {.required = true}),
      option("--out", &o->tables.csv,
             "Folder of the tables; default: the key out of the file, else its name without .toml"),
      option("--part", &o->part,
             "Part I of N of the texts, I from 0, such as 0/4. Default: from the environment variables of an "
             "array job, torchrun or MPI, else all texts; 0/1 always takes all texts"),
      option("--estimate", &o->estimate, "Print the number of runs and their time, and stop"),
      option("--json", &o->json, "Print the estimate as JSON")};
  ProgramCommand command =
      commandOf(std::move(options), o->tables, global,
                [o](const auto& globals, Progress& progress) { study(*o, globals, progress); });
  command.footer = keyList();
  return command;
}

}  // namespace plastiscope
