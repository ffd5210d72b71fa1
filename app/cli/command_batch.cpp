#include <cstdio>
#include <cstdlib>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/platform.h"
#include "core/capture/capture_part.h"
#include "core/sweep/sweep_file.h"
#include "core/sweep/sweep_library.h"
#include "core/sweep/sweep_run.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

struct BatchOptions {
  fs::path sweep, out;
  int processes = 1;
  std::string part;
  bool dryRun = false, json = false, fresh = false;
};

fs::path libraryOf(const BatchOptions& o) {
  fs::path library = o.out;
  if (library.empty()) library = fs::path(o.sweep).replace_extension();
  if (library == o.sweep)
    throw UsageError("batch needs --out LIBRARY, because the sweep's name has no extension");
  return fs::absolute(library).lexically_normal();
}

CapturePart shareOf(const BatchOptions& o, const GlobalOptions& global) {
  if (!o.part.empty()) return CapturePart::parse(o.part);
  const auto part = clusterPart([](const char* name) { return std::getenv(name); });
  if (!part) return {};
  tell(global, "part " + std::to_string(part->index) + " of " + std::to_string(part->count) +
                   ", from the environment variables of the job; use --part 0/1 to take all runs");
  return *part;
}

// A job requeued by Slurm continues the work that --fresh started before.
bool beginsAgain(const BatchOptions& o) {
  const char* restarts = std::getenv("SLURM_RESTART_COUNT");
  return o.fresh && (restarts == nullptr || std::atoi(restarts) == 0);
}

// Every N-th run, so that small and large models are distributed evenly.
std::vector<SweepRun> runsOf(const std::vector<SweepRun>& all, CapturePart part) {
  std::vector<SweepRun> runs;
  for (std::size_t i = static_cast<std::size_t>(part.index); i < all.size();
       i += static_cast<std::size_t>(part.count))
    runs.push_back(all[i]);
  return runs;
}

const char* wordOf(RunState state) {
  switch (state) {
    case RunState::Missing:
      return "missing";
    case RunState::Unfinished:
      return "unfinished";
    case RunState::Again:
      return "to be done again";
    case RunState::Done:
      return "done";
    case RunState::WasDone:
      return "done before";
    case RunState::Failed:
      return "failed";
  }
  return "";
}

// Formats a number of the estimate; "" where there is none.
template <typename Text>
std::string estimated(const RunOutcome& outcome, const char* key, Text text) {
  const Json& estimate = outcome.estimate;
  return estimate.is_object() ? text(estimate.value(key, 0.0)) : std::string();
}

void printRuns(const std::vector<SweepRun>& runs, const std::vector<RunOutcome>& outcomes, bool dryRun) {
  const auto count = [](double value) { return withCommas(static_cast<long long>(value)); };
  const auto bytes = [](double value) { return byteText(static_cast<unsigned long long>(value)); };
  TableBuilder table("runs", {texts("run"), texts("state"), texts("texts"), texts("tokens"), texts("time"),
                              texts("memory"), texts("disk"), texts("file"), texts("reason")});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunOutcome& outcome = outcomes[i];
    const bool fits = !outcome.estimate->is_object() || outcome.estimate->value("fits", true);
    table.row({runs[i].name, std::string(wordOf(outcome.state)), estimated(outcome, "examples", count),
               estimated(outcome, "tokens_after_cut", count), estimated(outcome, "seconds", durationText),
               estimated(outcome, "memory_bytes", bytes), estimated(outcome, "disk_bytes", bytes),
               estimated(outcome, "file_bytes", bytes),
               fits ? outcome.sentence : outcome.estimate->value("advice", std::string())});
  }
  std::vector<std::string> columns{"run", "state"};
  if (dryRun) columns.insert(columns.end(), {"texts", "tokens", "time", "memory", "disk", "file"});
  columns.emplace_back("reason");
  printTable(table.take(), columns);
}

void printRunsAsJson(const std::vector<SweepRun>& runs, const std::vector<RunOutcome>& outcomes) {
  Json list = Json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Json analyses = Json::array();
    for (const SweepAnalysis& analysis : runs[i].analyses) analyses.push_back(pathText(analysis.out));
    Json run{{"run", runs[i].name},
             {"state", wordOf(outcomes[i].state)},
             {"capture", pathText(runs[i].capture.out)},
             {"analyses", analyses}};
    if (!outcomes[i].sentence.empty()) run["reason"] = outcomes[i].sentence;
    if (outcomes[i].estimate->is_object()) run["estimate"] = *outcomes[i].estimate;
    list.push_back(std::move(run));
  }
  std::printf("%s\n", canonicalJson(list).c_str());
}

// The first failure determines the exit code.
void requireNoFailure(const std::vector<SweepRun>& runs, const std::vector<RunOutcome>& outcomes) {
  std::string names;
  std::size_t failed = 0;
  ErrorKind kind = ErrorKind::Internal;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].state != RunState::Failed) continue;
    if (failed++ == 0) kind = outcomes[i].kind;
    names += (names.empty() ? "" : ", ") + runs[i].name;
  }
  if (failed > 0)
    throw Error(kind,
                std::to_string(failed) + " of " + std::to_string(outcomes.size()) + " runs failed: " + names);
}

void batch(const BatchOptions& o, const GlobalOptions& global, Progress& progress) {
  const fs::path library = libraryOf(o);
  const std::vector<SweepRun> all = readSweep(o.sweep, library);
  const std::vector<SweepRun> runs = runsOf(all, shareOf(o, global));
  if (runs.empty()) tell(global, "this part has no runs");
  const fs::path program = ownProgram();
  if (program.empty()) throw ResourceError("the path of this program could not be read");
  const SweepOptions options{program, o.processes, global.threads, beginsAgain(o)};
  const std::vector<RunOutcome> outcomes =
      o.dryRun ? estimateRuns(runs, options, progress) : doRuns(runs, options, progress);
  if (!o.dryRun) writeLibrarySession(all, library);
  if (o.json)
    printRunsAsJson(runs, outcomes);
  else if (!global.quiet)
    printRuns(runs, outcomes, o.dryRun);
  requireNoFailure(runs, outcomes);
}

}  // namespace

ProgramCommand batchCommand(GlobalOptions& global) {
  auto o = std::make_shared<BatchOptions>();
  OptionList options = {
      option("SWEEP", &o->sweep, "TOML file with models, texts and settings", {.required = true}),
      option("--out", &o->out,
             "Folder of the captures and analyses; default: the sweep's name without .toml"),
      option("--processes", &o->processes,
             "Runs at a time; each gets its share of the threads and of the free memory",
             {.showsDefault = true, .limit = Limit::Between, .least = 1, .most = 256}),
      option("--part", &o->part,
             "Part I of N of the runs, I from 0, such as 0/4. Default: from the environment variables of an "
             "array job, torchrun or MPI, else all runs; 0/1 always takes all runs"),
      option("--fresh", &o->fresh,
             "Repeat finished runs. Old results stay until the new ones are complete. To continue after a "
             "stop, use the same command without --fresh"),
      option("--dry-run", &o->dryRun, "Print the runs with their time, memory and disk, and stop"),
      option("--json", &o->json, "Print the runs as JSON"),
      progressOption(global)};
  return {.options = std::move(options),
          .run = [o](const GlobalOptions& globals, Progress& progress) { batch(*o, globals, progress); }};
}

}  // namespace plastiscope
