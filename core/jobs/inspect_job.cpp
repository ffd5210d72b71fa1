#include "core/jobs/inspect_job.h"

#include <cstdio>
#include <numeric>

#include "core/analysis/bins.h"
#include "core/analysis/head_analysis.h"
#include "core/base/error.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/head_work.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

// A head made ready for its pairs, in the basis that its rows were captured in.
class InspectedHead {
 public:
  InspectedHead(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings)
      : m_settings(resolvedSettings(settings, capture.info())),
        m_rows(readHead(capture, head, m_settings)),
        m_keys(m_rows.key),
        m_frame(frameOf(capture.info())),
        m_grid(gridOf(capture.info(), m_settings)),
        m_model(queryModelOf(m_rows.query, momentsOf(m_rows.query))),
        m_reflected(m_rows.query, m_keys.rows, m_keys.order, m_model, m_grid) {
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
  HeadRows m_rows;
  HeadKeys m_keys;
  CaptureFrame m_frame;
  BinGrid m_grid;
  QueryModel m_model;
  HouseholderHead m_reflected;
};

}  // namespace

CellPairs inspectCell(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings,
                      const CellQuestion& cell, const Progress& progress) {
  const InspectedHead open(capture, head, settings);
  return pairsOfCell(open.input(), open.reflected(), open.settings(), cell.distance, cell.midpoint, cell.most,
                     progress);
}

PpSpread inspectSpread(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings,
                       const Progress& progress) {
  const InspectedHead open(capture, head, settings);
  return ppSpreadOf(open.input(), open.reflected(), open.settings(), progress);
}

Table pairsTable(const CellPairs& cell, const CaptureInfo& info) {
  std::vector<std::int64_t> bin, earlier, later;
  std::vector<double> tau, pp, z;
  std::vector<std::string> earlierExample, laterExample;
  for (const InspectedPair& pair : cell.listed) {
    bin.push_back(pair.bin);
    tau.push_back(pair.tau);
    earlierExample.push_back(exampleName(info, pair.earlierExample));
    earlier.push_back(pair.earlier);
    laterExample.push_back(exampleName(info, pair.laterExample));
    later.push_back(pair.later);
    pp.push_back(pair.pp);
    z.push_back(pair.z);
  }
  return {"pairs",
          {{"bin", bin},
           {"tau", tau},
           {"earlier_example", earlierExample},
           {"earlier", earlier},
           {"later_example", laterExample},
           {"later", later},
           {"pp", pp},
           {"z", z}}};
}

Table ppSpreadTable(const PpSpread& spread) {
  std::vector<std::int64_t> bin(spread.bins.size()), pairs;
  std::iota(bin.begin(), bin.end(), 0);
  std::vector<double> start, end, tau;
  for (std::size_t b = 0; b < spread.bins.size(); ++b) {
    start.push_back(spread.bins[b].start);
    end.push_back(spread.bins[b].end);
    tau.push_back(spread.bins[b].tau.value());
    pairs.push_back(std::accumulate(spread.counts[b].begin(), spread.counts[b].end(), std::int64_t{0}));
  }
  Table table{"pp_spread", {{"bin", bin}, {"start", start}, {"end", end}, {"tau", tau}, {"pairs", pairs}}};
  for (std::int64_t step = 0; step < kPpSteps; ++step) {
    std::vector<std::int64_t> counts;
    for (const auto& of : spread.counts) counts.push_back(of[static_cast<std::size_t>(step)]);
    char name[16];
    std::snprintf(name, sizeof name, "pp_%.2f", static_cast<double>(step) / static_cast<double>(kPpSteps));
    table.columns.push_back({name, counts});
  }
  return table;
}

// ---- the exact map

bool canRefineMap(const Study& study) {
  return study.capture && settingsOf(*study.analysis).pairs > 0;
}

MapData makeExactMap(const Study& study, HeadName head, Progress& progress) {
  AnalysisSettings settings = settingsOf(*study.analysis);
  settings.pairs = 0;
  settings.prefix = "start";  // no pair is drawn
  settings.bootstrap = 0;
  settings.heads = head.text();
  settings.layers.clear();
  const AnalysisFile analysis = analyzeCapture(*study.capture, settings, 1, progress);
  return makeMap(analysis, HeadScope{head, {}});
}

}  // namespace plastiscope
