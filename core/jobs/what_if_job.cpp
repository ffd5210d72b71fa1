#include "core/jobs/what_if_job.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/analysis/tables.h"
#include "core/base/error.h"
#include "core/capture/head_list.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/head_work.h"
#include "core/jobs/row_subset.h"

namespace plastiscope {

namespace {

using NamedValues = std::vector<std::pair<std::string, double>>;

NamedValues valuesOf(const ApSummary& summary) {
  NamedValues values = {{"ap_overall", summary.overall}, {"ap_drop", summary.drop}};
  for (const RangeMean* range : summary.ranges()) values.emplace_back(range->name, range->ap);
  return values;
}

// The measured columns of one row of heads.csv.
NamedValues measuredOf(const Table& heads, std::size_t row) {
  NamedValues values;
  for (const Column& column : heads.columns) {
    if (const auto* numbers = std::get_if<std::vector<double>>(&column.values))
      values.emplace_back(column.name, (*numbers)[row]);
  }
  return values;
}

// A row of heads.csv.
struct HeadAtRow {
  std::size_t row;
  HeadName name;
};

// Heads of a list among those of an analysis.
std::vector<HeadAtRow> headsAtRows(const HeadWork& work, const std::string& list) {
  std::vector<HeadName> names(work.heads);
  for (const HeadGroup& group : work.groups) {
    for (std::size_t i = 0; i < group.heads.size(); ++i)
      names[group.slot[i]] = {group.heads[i].layer, group.heads[i].head};
  }
  const std::vector<HeadName> meant =
      list.empty() ? std::vector<HeadName>() : headsMeant(list, names, "analysed");
  std::vector<HeadAtRow> heads;
  for (std::size_t row = 0; row < names.size(); ++row) {
    if (std::binary_search(meant.begin(), meant.end(), names[row])) heads.push_back({row, names[row]});
  }
  return heads;
}

// Values of the head without its keys' drift along a; unchanged if it has no a.
NamedValues clampedValues(const CaptureFile& capture, const HeadName& name, const AnalysisSettings& settings,
                          const Progress& progress) {
  const HeadRows rows = readHead(capture, name, settings);
  const CaptureFrame frame = frameOf(capture.info());
  const Moments query = momentsOf(rows.query), key = momentsOf(rows.key);
  const RotationResult rotation = rotationOf({rows.query, query}, {rows.key, key}, frame, settings);
  const bool drifts = rotation.a.size() > 0 && !std::isnan(rotation.alphaKey);
  const HeadKeys keys(drifts ? withScaledDrift(rows.key, rotation.a, rotation.alphaKey, 0) : rows.key);
  const BinGrid grid = gridOf(capture.info(), settings);
  return measuredOf(
      headsTable({analyzeHead({rows.place, frame, rows.query, keys, grid, settings, progress})}), 0);
}

// Values by row of heads.csv; nothing for dropped heads.
using EditedRows = std::map<std::size_t, std::optional<NamedValues>>;

Table editedTable(const Table& heads, const EditedRows& edited) {
  TableBuilder table("edited", {texts("metric"), numbers("before"), numbers("after"),
                                integers("heads_before"), integers("heads_after")});
  std::size_t measured = 0;
  for (const Column& column : heads.columns) {
    const auto* values = std::get_if<std::vector<double>>(&column.values);
    if (values == nullptr) continue;
    std::vector<double> left;
    for (std::size_t row = 0; row < values->size(); ++row) {
      const auto edit = edited.find(row);
      if (edit == edited.end()) {
        left.push_back((*values)[row]);
      } else if (edit->second) {
        left.push_back((*edit->second)[measured].second);
      }
    }
    ++measured;
    std::int64_t headsBefore = 0, headsAfter = 0;
    const double before = meanOfPresent(*values, &headsBefore), after = meanOfPresent(left, &headsAfter);
    table.row({column.name, before, after, headsBefore, headsAfter});
  }
  return table.take();
}

Table editedHeadsTable(const Table& heads, const EditedRows& edited) {
  TableBuilder table("edited_heads", {integers("layer"), integers("head"), texts("edit"), texts("metric"),
                                      numbers("before"), numbers("after")});
  for (const auto& [row, values] : edited) {
    const NamedValues old = measuredOf(heads, row);
    for (std::size_t i = 0; i < old.size(); ++i)
      table.row({heads.integers("layer")[row], heads.integers("head")[row], values ? "clamp_bias" : "drop",
                 old[i].first, old[i].second, values ? (*values)[i].second : kMissing});
  }
  return table.take();
}

}  // namespace

WhatIfHead prepareWhatIf(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings,
                         const Progress& progress) {
  settings.validate();
  const AnalysisSettings resolved = resolvedSettings(settings, capture.info());
  const auto chosen = subsetOf(capture, resolved);
  const HeadRows rows = readHead(*chosen, head, resolved);
  return WhatIfHead({rows.place, frameOf(capture.info()), rows.query, HeadKeys(rows.key),
                     gridOf(chosen->info(), resolved), resolved, progress});
}

std::vector<Table> whatIfTables(const CaptureFile& capture, const HeadName& head, const WhatIf& change,
                                const AnalysisSettings& settings, const Progress& progress) {
  const WhatIfHead prepared = prepareWhatIf(capture, head, settings, progress);
  const WhatIfResult before = prepared.evaluate({}), after = prepared.evaluate(change);
  TableBuilder summary("what_if", {texts("metric"), numbers("before"), numbers("after")});
  const NamedValues oldValues = valuesOf(before.summary), newValues = valuesOf(after.summary);
  for (std::size_t i = 0; i < oldValues.size(); ++i)
    summary.row({oldValues[i].first, oldValues[i].second, newValues[i].second});
  TableBuilder profile("what_if_profile",
                       {integers("bin"), numbers("tau"), integers("queries"), integers("pairs_used"),
                        numbers("ap_before"), numbers("ap_after")});
  for (std::size_t b = 0; b < after.bins.size(); ++b) {
    const BinResult& bin = after.bins[b];
    profile.row({static_cast<std::int64_t>(b), bin.tau.value(), bin.queries, bin.pairsUsed, before.bins[b].ap,
                 bin.ap});
  }
  return {summary.take(), profile.take()};
}

std::vector<Table> editTables(const CaptureFile& whole, const HeadEdits& edits,
                              const AnalysisSettings& settings, int threads, Progress& progress) {
  const auto chosen = subsetOf(whole, settings);
  const CaptureFile& capture = *chosen;
  const AnalysisSettings resolved = resolvedSettings(settings, capture.info());
  const HeadWork work = chooseHeadWork(capture.info(), resolved);
  const auto dropped = headsAtRows(work, edits.drop), clamped = headsAtRows(work, edits.clamp);
  EditedRows edited;
  for (const HeadAtRow& head : dropped) edited[head.row] = std::nullopt;
  for (const HeadAtRow& head : clamped) {
    if (edited.contains(head.row))
      throw UsageError("head " + head.name.text() + " is both dropped and clamped");
  }
  const AnalysisFile analysis = analyzeCapture(capture, settings, threads, progress);
  const Table& heads = *analysis.find("heads");
  for (const HeadAtRow& head : clamped)
    edited[head.row] = clampedValues(capture, head.name, resolved, progress);
  return {editedTable(heads, edited), editedHeadsTable(heads, edited)};
}

}  // namespace plastiscope
