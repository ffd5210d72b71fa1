#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/causal/composition_job.h"

namespace plastiscope {

namespace {

struct CompositionOptions {
  CompositionRequest request;
  TableTarget tables;
};

void composition(CompositionOptions& o, const GlobalOptions& globals, Progress& progress) {
  if (o.tables.csv.empty()) throw UsageError("composition needs --csv FOLDER");
  ProbeRequest& probes = o.request.probes;
  probes.run.threads = globals.threads;
  probes.out = o.tables.csv;
  probes.rules.otherSettings = o.tables.fresh;
  probes.rules.force = o.tables.force;
  try {
    if (!runComposition(o.request, progress))
      tell(globals, o.tables.csv +
                        ": this table already exists with the same settings and was not changed; "
                        "use --fresh to make it again");
  } catch (const Stopped&) {
    throw Stopped("stopped on request; finished texts are kept, and the same command continues");
  }
  if (!globals.quiet) printLine(o.tables.csv);
}

}  // namespace

ProgramCommand compositionCommand(GlobalOptions& global) {
  auto o = std::make_shared<CompositionOptions>();
  OptionList options = compositionOptions(o->request);
  options.push_back(option("--csv", &o->tables.csv, "Write edges.csv into this folder"));
  addTableTarget(options, o->tables);
  options.push_back(progressOption(global));
  return {.options = std::move(options), .run = [o](const GlobalOptions& globals, Progress& progress) {
            continueWithBackend(globals);
            composition(*o, globals, progress);
          }};
}

}  // namespace plastiscope
