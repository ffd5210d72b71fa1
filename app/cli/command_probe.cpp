#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/causal/probe_job.h"

namespace plastiscope {

namespace {

struct ProbeOptions {
  ProbeRequest request;
  TableTarget tables;
  std::string write;
};

void probe(ProbeOptions& o, const GlobalOptions& globals, Progress& progress) {
  if (o.tables.csv.empty() && o.write.empty())
    throw UsageError("probe needs --csv FOLDER or --write FILE.jsonl");
  o.request.run.threads = globals.threads;
  o.request.out = o.tables.csv;
  o.request.write = o.write;
  o.request.rules.otherSettings = o.tables.fresh;
  o.request.rules.force = o.tables.force;
  try {
    if (!runProbes(o.request, progress))
      tell(globals, o.tables.csv +
                        ": these tables already exist with the same settings and were not changed; "
                        "use --fresh to run the probes again");
  } catch (const Stopped&) {
    throw Stopped("stopped on request; finished probes are kept, and the same command continues");
  }
  if (!globals.quiet) printLine(o.tables.csv.empty() ? o.write : o.tables.csv);
}

}  // namespace

ProgramCommand probeCommand(GlobalOptions& global) {
  auto o = std::make_shared<ProbeOptions>();
  OptionList options = probeRequestOptions(o->request);
  options.push_back(
      option("--csv", &o->tables.csv,
             "Run the probes and write probes.csv, benefit.csv and retrieval.csv into this folder"));
  options.push_back(option("--write", &o->write,
                           "Write the probes as token ids into this .jsonl file, for capture --tokens"));
  addTableTarget(options, o->tables);
  options.push_back(progressOption(global));
  return {.options = std::move(options), .run = [o](const GlobalOptions& globals, Progress& progress) {
            continueWithBackend(globals);
            probe(*o, globals, progress);
          }};
}

}  // namespace plastiscope
