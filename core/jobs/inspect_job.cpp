#include "core/jobs/inspect_job.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "core/analysis/bins.h"
#include "core/analysis/head_analysis.h"
#include "core/base/error.h"
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

}  // namespace plastiscope
