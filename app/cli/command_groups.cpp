// The command groups: groups of heads that a study keeps, and how they differ from other heads.
#include <algorithm>
#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/compare/matching.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/study_job.h"
#include "core/views/group_statistics.h"
#include "core/views/study_notes.h"

namespace plastiscope {

namespace {

struct GroupsOptions {
  std::string file, from, against, metrics;
  std::vector<std::string> groups, deleted;
  bool save = false;
  GroupOptions statistics;
  TableTarget tables;
};

// Whether the command compares groups, instead of only listing or storing them.
bool comparesGroups(const GroupsOptions& o) {
  const bool asked = !o.metrics.empty() || !o.against.empty() || !o.tables.csv.empty();
  return asked || (!o.groups.empty() && !o.save);
}

void listGroups(const HeadGroups& groups) {
  TableBuilder table("groups", {texts("group"), integers("heads"), texts("list"), texts("origin")});
  for (const HeadGroup& group : groups)
    table.row({group.name, std::ssize(group.heads), headListText(group.heads), group.origin});
  printTable(table.take(), {"group", "heads", "list", "origin"});
}

// Adds the groups, each in place of one with its name.
void addGroups(HeadGroups& kept, const HeadGroups& groups) {
  for (const HeadGroup& group : groups) {
    const auto same = std::ranges::find(kept, group.name, &HeadGroup::name);
    if (same == kept.end())
      kept.push_back(group);
    else
      *same = group;
  }
}

// Groups of the notes beside another study, as the matching heads of this one.
HeadGroups groupsFrom(const std::string& other, const Study& study, int threads, Progress& progress) {
  const HeadGroups theirs = groupsBeside(other);
  if (theirs.empty()) throw UsageError(other + " has no groups of heads");
  const auto from = openStudy(other, AnalysisSettings(), threads, progress);
  HeadGroups carried = carriedGroups(theirs, *from->analysis, *study.analysis);
  if (carried.size() < theirs.size())
    progress.warned(std::to_string(theirs.size() - carried.size()) + " of " + std::to_string(theirs.size()) +
                    " groups have no matching heads in " + study.title);
  return carried;
}

GroupOptions statisticsOf(const GroupsOptions& o, const Table& heads, const HeadGroups& groups) {
  GroupOptions options = o.statistics;
  options.metrics = splitList(o.metrics);
  chooseAgainst(options, o.against, o.file, heads, groups);
  return options;
}

void compareGroups(const GroupsOptions& o, const Study& study, const HeadGroups& groups,
                   const GlobalOptions& globals) {
  const Table& heads = requiredTable(*study.analysis, "heads");
  const GroupOptions options = statisticsOf(o, heads, groups);
  const Json settings = {
      {"groups", groupTexts(groups)},
      {"against", options.other ? groupTexts({*options.other}).front() : nameOf(options.against)},
      {"metrics", options.metrics},
      {"seed", options.seed},
      {"permutations", options.permutations}};
  const auto folder = o.tables.open({"groups", {sourceOfStudy(o.file)}, settings}, {"groups"});
  if (isLeft(folder, o.tables, globals)) return;
  std::vector<GroupContrast> contrasts;
  for (const HeadGroup& group : groups) {
    if (options.other && options.other->name == group.name) continue;
    const std::vector<GroupContrast> own = groupContrasts(heads, group, options);
    contrasts.insert(contrasts.end(), own.begin(), own.end());
  }
  if (contrasts.empty())
    throw UsageError("a group cannot be compared with itself: name another with --group");
  const Table table = tableOf(contrasts);
  if (folder)
    folder->write({table}, {{"program_version", kVersion},
                            {"analysis", study.analysis->provenance.toJson()},
                            {"groups", groupsToJson(groups)},
                            {"settings", settings}});
  if (globals.quiet) return;
  printTable(table, {"group", "against", "metric", "heads", "others", "key_heads", "mean", "other_mean",
                     "difference", "low", "high", "p", "p_key_heads", "q", "effect"});
  if (options.metrics.size() != 1) return;
  for (const GroupContrast& contrast : contrasts) printLine(contrastSentence(contrast));
}

void runGroups(const GroupsOptions& o, const GlobalOptions& globals, Progress& progress) {
  if ((o.save || !o.deleted.empty()) && isShipped(o.file))
    throw UsageError("groups cannot be kept beside " + o.file +
                     ", which belongs to the program: copy the file first");
  if (o.save && o.groups.empty() && o.from.empty())
    throw UsageError("--save keeps groups that --group NAME=HEADS or --from define: none is given");
  HeadGroups kept = groupsBeside(o.file);
  for (const std::string& name : o.deleted)
    kept.erase(kept.begin() + (&groupNamed(kept, name) - kept.data()));
  HeadGroups given;
  std::shared_ptr<const Study> study;
  if (!o.groups.empty() || !o.from.empty() || comparesGroups(o)) {
    study = openStudy(o.file, AnalysisSettings(), globals.threads, progress);
    if (!o.from.empty()) given = groupsFrom(o.from, *study, globals.threads, progress);
    if (!o.groups.empty() || o.from.empty())
      addGroups(given, parseGroups(o.groups, o.file, requiredTable(*study->analysis, "heads")));
  }
  if (o.save) addGroups(kept, given);
  if (o.save || !o.deleted.empty()) saveGroupsBeside(o.file, kept);
  if (comparesGroups(o)) return compareGroups(o, *study, given, globals);
  const HeadGroups& shown = o.save || o.from.empty() ? kept : given;
  if (shown.empty())
    tell(globals, o.file + " has no groups of heads: --group NAME=HEADS --save adds one");
  else
    listGroups(shown);
}

}  // namespace

ProgramCommand groupsCommand(GlobalOptions& global) {
  auto o = std::make_shared<GroupsOptions>();
  OptionList options = {
      option("STUDY", &o->file, "Capture or analysis file", {.required = true}),
      option("--group", &o->groups,
             "A group to compare with other heads, may be repeated: NAME, or NAME=HEADS with a list "
             "(L12H6,L14,L0-L5) or an expression (ap_drop > 0.2 && layer < 10). Default: the groups of the "
             "study"),
      option("--against", &o->against,
             "Compare with the rest of the heads, with random groups of as many heads in the same layers, or "
             "with another group: rest, layers, NAME or NAME=HEADS; default: layers, or rest for groups of "
             "whole layers"),
      option("--metric", &o->metrics, "Columns of heads.csv, separated by commas; default: all numbers"),
      option("--from", &o->from,
             "Take the groups of another capture or analysis as the heads that match them"),
      option("--save", &o->save, "Keep the groups of --group and --from in the notes beside the study"),
      option("--delete", &o->deleted, "Delete a group from these notes, may be repeated"),
      option("--seed", &o->statistics.seed, "Seed of permutations and resamples", {.showsDefault = true}),
      option("--permutations", &o->statistics.permutations,
             "Number of random orders; where there are at most 40,320, all are taken",
             {.showsDefault = true, .limit = Limit::Between, .least = 99, .most = 1000000}),
      option("--csv", &o->tables.csv, "Write the table into this folder")};
  addTableTarget(options, o->tables);
  options.push_back(progressOption(global));
  return {
      .footer =
          "\n  plastiscope-cli groups study.h5 --group 'deep=layer >= 20' --group early=L0-L9 "
          "--save\n"
          "  plastiscope-cli groups study.h5 --group deep --against rest --metric ap_drop,bias_window\n\n"
          "p tests single heads, p_key_heads key heads with all their query heads, q corrects p_key_heads "
          "for the number of metrics (resources/help/method.md, Groups of heads).",
      .options = std::move(options),
      .run = [o](const GlobalOptions& globals, Progress& progress) { runGroups(*o, globals, progress); }};
}

}  // namespace plastiscope
