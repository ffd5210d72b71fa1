#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/jobs/attended_job.h"
#include "core/jobs/study_job.h"
#include "core/text/token_types.h"

namespace plastiscope {

namespace {

struct AttendedOptions {
  std::string study, head;
  AttendedChoice choice;
  TableTarget tables;
};

void attended(const AttendedOptions& o, const GlobalOptions& globals, Progress& progress) {
  const std::vector<HeadName> heads = parseHeadList(o.head);
  if (heads.size() != 1) throw UsageError("--head: expected one head such as L5H1, found " + o.head);
  const auto study = openStudy(o.study, AnalysisSettings(), globals.threads, progress);
  const AttendedChoice& choice = o.choice;
  const auto folder = o.tables.open(
      {"attended",
       {analysisSource(o.study, study->analysis->provenance)},
       Json{{"head", o.head}, {"fifth", choice.fifth}, {"type", choice.type}, {"text", choice.text}}},
      {});
  if (isLeft(folder, o.tables, globals)) return;
  const AttendedData data = makeAttended(*study, heads.front(), choice, progress);
  const std::string words = heads.front().text() + ", " + scopeText(data) + "\n" + attendedSentence(data);
  if (!folder) {
    printLine(words);
    return printTable(attendedTable(data), {"grouping", "class", "fifth", "attention", "keys", "top"});
  }
  folder->write({attendedTable(data), attendedPositions(data), attendedParts(data), attendedQueries(data)},
                {{"program_version", kVersion}, {"sentence", words}});
}

}  // namespace

ProgramCommand attendedCommand(GlobalOptions& global) {
  auto o = std::make_shared<AttendedOptions>();
  const auto types = namesOf(TokenType());
  OptionList options = {
      option("STUDY", &o->study, "Capture, or an analysis whose capture is there", {.required = true}),
      option("--head", &o->head, "The head, such as L5H1", {.required = true}),
      option("--fifth", &o->choice.fifth, "Only queries of this fifth of the window: 1 to 5; 0 = all",
             {.limit = Limit::Between, .least = 0, .most = kFifths}),
      option("--query-type", &o->choice.type, "Only queries whose token has this type",
             {.words = {types.begin(), types.end()}, .listsWords = true}),
      option("--text", &o->choice.text, "Only queries of the text with this id"),
      option("--csv", &o->tables.csv, "Write the tables into this folder instead of printing the first")};
  addTableTarget(options, o->tables);
  options.push_back(progressOption(global));
  return {.options = std::move(options),
          .run = [o](const GlobalOptions& globals, Progress& progress) { attended(*o, globals, progress); }};
}

}  // namespace plastiscope
