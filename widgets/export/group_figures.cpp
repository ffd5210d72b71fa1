// Figures of groups of heads.
#include <algorithm>

#include "core/base/error.h"
#include "core/figures/figures.h"
#include "core/views/group_statistics.h"
#include "core/views/study_facts.h"
#include "core/views/study_notes.h"
#include "widgets/export/study_figures.h"

namespace plastiscope {

namespace {

const Table& headsTable(const Study& study) {
  return requiredTable(*study.analysis, "heads");
}

GroupOptions groupOptions(const Study& study, const FigureSpec& spec) {
  GroupOptions options;
  chooseAgainst(options, spec.against, study.file, headsTable(study), groupsOf(study, spec));
  return options;
}

// Without the group that the others are compared with.
HeadGroups comparedGroups(const Study& study, const FigureSpec& spec, const GroupOptions& options) {
  HeadGroups groups = groupsOf(study, spec);
  if (options.other)
    std::erase_if(groups, [&](const HeadGroup& group) { return group.name == options.other->name; });
  if (groups.empty()) throw UsageError("a group cannot be compared with itself: name another with --groups");
  return groups;
}

FigureContent groupsFigure(const Study& study, const FigureSpec& spec) {
  GroupOptions options = groupOptions(study, spec);
  options.metrics = {spec.metric.empty() ? columnAs(spec.plasticity, "ap_overall") : spec.metric};
  const GroupStrips strips =
      makeGroupStrips(headsTable(study), comparedGroups(study, spec, options), options);
  return {groupStripsPlot(strips, spec.range), tableOf(strips)};
}

FigureContent groupContrastsFigure(const Study& study, const FigureSpec& spec) {
  GroupOptions options = groupOptions(study, spec);
  const Table& heads = headsTable(study);
  for (const std::string& metric : contrastMetrics(spec)) {
    if (!spec.metric.empty() || heads.find(metric) != nullptr) options.metrics.push_back(metric);
  }
  const HeadGroups groups = comparedGroups(study, spec, options);
  std::vector<GroupContrast> contrasts;
  for (const HeadGroup& group : groups) {
    const std::vector<GroupContrast> own = groupContrasts(heads, group, options);
    contrasts.insert(contrasts.end(), own.begin(), own.end());
  }
  return {groupContrastsPlot(groups, contrasts, spec.range), tableOf(contrasts)};
}

}  // namespace

HeadGroups groupsOf(const Study& study, const FigureSpec& spec) {
  return parseGroups(spec.groups, study.file, headsTable(study));
}

FigureSpec withGroups(FigureSpec spec, const Studies& studies) {
  const FigureKind& kind = figureKind(spec.figure);
  if (studies.empty() || (spec.groups.empty() && !kind.needsGroups)) return spec;
  const Study& first = *studies.front();
  spec.groups = groupTexts(groupsOf(first, spec));
  if (!kind.needsGroups) return spec;
  const GroupOptions options = groupOptions(first, spec);
  spec.against = options.other ? groupTexts({*options.other}).front() : nameOf(options.against);
  return spec;
}

bool panelPerGroup(const FigureKind& kind) {
  return kind.takes("groups") && kind.takes("mean_of") && !kind.together;
}

std::vector<std::string> contrastMetrics(const FigureSpec& spec) {
  if (!spec.metric.empty()) return spec.metrics();
  std::vector<std::string> metrics;
  for (const char* column : {"ap_overall", "ap_first20", "ap_last20", "ap_drop"})
    metrics.push_back(columnAs(spec.plasticity, column));
  for (const char* column :
       {"bias_window", "plane_var_fraction", "slope_ratio", "attention_entropy", "attention_distance",
        "first_token_attention", "previous_token_score", "induction_score"})
    metrics.emplace_back(column);
  return metrics;
}

std::vector<FigureKind> groupFigures() {
  return {
      {.id = "groups",
       .title = "Groups of heads",
       .options = {"metric", "groups", "against", "range", "plasticity"},
       .proportion = 0.75,
       .prepare = ofOne<groupsFigure>,
       .needsGroups = true},
      {.id = "group-contrasts",
       .title = "Differences of groups",
       .options = {"metric", "groups", "against", "range", "plasticity"},
       .prepare = ofOne<groupContrastsFigure>,
       .needsGroups = true,
       .tall = true,
       .together = true},
  };
}

}  // namespace plastiscope
