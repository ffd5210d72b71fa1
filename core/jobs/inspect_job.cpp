#include "core/jobs/inspect_job.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <optional>

#include "core/analysis/bins.h"
#include "core/analysis/head_analysis.h"
#include "core/analysis/tables.h"
#include "core/base/error.h"
#include "core/capture/head_list.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/head_work.h"
#include "core/jobs/row_subset.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

// A head prepared for evaluating pairs, in the basis of its captured rows.
class InspectedHead {
 public:
  InspectedHead(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings)
      : m_settings(resolvedSettings(settings, capture.info())),
        m_capture(subsetOf(capture, m_settings)),
        m_rows(readHead(*m_capture, head, m_settings)),
        m_keys(m_rows.key),
        m_frame(frameOf(capture.info())),
        m_grid(gridOf(m_capture->info(), m_settings)),
        m_model(queryModelOf(m_rows.query, momentsOf(m_rows.query))),
        m_reflected(m_rows.query, {m_keys.rows, m_keys.order}, m_model, m_grid) {
    if (m_settings.orientation != "off")
      throw UsageError("pairs: expected orientation off, found " + m_settings.orientation);
  }
  PlasticityInput input() const {
    return {m_rows.place, m_frame, m_rows.query, m_keys.rows, m_keys.order, m_model, m_grid};
  }
  const HouseholderHead& reflected() const { return m_reflected; }
  const AnalysisSettings& settings() const { return m_settings; }

 private:
  AnalysisSettings m_settings;
  std::shared_ptr<const CaptureFile> m_capture;
  HeadRows m_rows;
  HeadKeys m_keys;
  CaptureFrame m_frame;
  BinGrid m_grid;
  QueryModel m_model;
  HouseholderHead m_reflected;
};

}  // namespace

CellPairs inspectCell(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings,
                      const CellRequest& choice, const Progress& progress) {
  const InspectedHead open(capture, head, settings);
  return pairsOfCell(open.input(), open.reflected(), open.settings(), choice, progress);
}

PpSpread inspectSpread(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings,
                       const Progress& progress) {
  const InspectedHead open(capture, head, settings);
  return ppSpreadOf(open.input(), open.reflected(), open.settings(), progress);
}

RowPlasticities inspectRows(const CaptureFile& capture, const HeadName& head,
                            const AnalysisSettings& settings, const Progress& progress) {
  constexpr std::int64_t kPairsOfKey = 32;
  const InspectedHead open(capture, head, settings);
  AnalysisSettings enough = open.settings();
  const PlasticityInput input = open.input();
  if (enough.pairs > 0)  // a pair has two keys
    enough.pairs = std::max(
        enough.pairs, kPairsOfKey / 2 * input.key.rows() / std::max<std::int64_t>(1, input.grid.bins()));
  return plasticityOfRows(input, open.reflected(), enough, progress);
}

Table pairsTable(const CellPairs& cell, const CaptureInfo& info) {
  TableBuilder table("pairs", {integers("bin"), numbers("tau"), texts("earlier_example"), integers("earlier"),
                               texts("later_example"), integers("later"), numbers("pp"), numbers("z")});
  for (const InspectedPair& pair : cell.listed)
    table.row({pair.bin, pair.tau, exampleName(info, pair.earlierExample), pair.earlier,
               exampleName(info, pair.laterExample), pair.later, pair.pp, pair.z});
  return table.take();
}

Table ppSpreadTable(const PpSpread& spread) {
  std::vector<Column> columns = {integers("bin"), numbers("start"), numbers("end"), numbers("tau"),
                                 integers("pairs")};
  for (std::int64_t step = 0; step < kPpSteps; ++step) {
    char name[16];
    std::snprintf(name, sizeof name, "pp_%.2f", static_cast<double>(step) / static_cast<double>(kPpSteps));
    columns.push_back(integers(name));
  }
  TableBuilder table("pp_spread", std::move(columns));
  for (std::size_t b = 0; b < spread.bins.size(); ++b) {
    const BinResult& bin = spread.bins[b];
    const std::vector<std::int64_t>& counts = spread.counts[b];
    std::vector<Cell> row = {static_cast<std::int64_t>(b), bin.start, bin.end, bin.tau.value(),
                             std::accumulate(counts.begin(), counts.end(), std::int64_t{0})};
    row.insert(row.end(), counts.begin(), counts.end());
    table.row(row);
  }
  return table.take();
}

// ---- the exact map

bool canRefineMap(const Study& study) {
  return study.capture && settingsOf(*study.analysis).pairs > 0;
}

MapData makeExactMap(const Study& study, HeadName head, ApKind plasticity, Progress& progress) {
  AnalysisSettings settings = settingsOf(*study.analysis);
  settings.pairs = 0;
  settings.prefix = "start";  // no sampling
  settings.bootstrap = 0;
  settings.heads = head.text();
  settings.layers.clear();
  const AnalysisFile analysis = analyzeCapture(*study.capture, settings, 1, progress);
  return makeMap(analysis, HeadScope{head, {}}, plasticity);
}

// ---- what-if and interventions

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
  for (const KeyHeadGroup& group : work.groups) {
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
