#pragma once
// Analyses one head: components, plane, plasticity and all other values.
#include <optional>

#include "core/analysis/aligned_plasticity.h"
#include "core/analysis/ap_summary.h"
#include "core/analysis/attention_scores.h"
#include "core/analysis/head_extras.h"
#include "core/analysis/pca.h"
#include "core/analysis/placement.h"
#include "core/analysis/plasticity.h"
#include "core/analysis/query_model.h"
#include "core/analysis/rotation.h"
#include "core/analysis/settings.h"

namespace plastiscope {

// The keys of a KV head and values that its query heads share.
struct HeadKeys {
  VectorRows rows;
  Moments moments;
  KeyOrder order;

  explicit HeadKeys(VectorRows keys);
};

// AP_drop without query drift and with frozen content (method.md, Decomposition and what-if).
struct Decomposition {
  double dropNoPosition = kMissing, dropContentFrozen = kMissing;
};

struct HeadResult {
  HeadId place;
  std::int64_t headDim = 0, queryRows = 0, keyRows = 0;  // rows used
  std::int64_t window = 0;                               // tokens
  PcaResult pca;
  RotationResult rotation;
  QueryModel model;
  Plasticity plasticity;
  ApSummary summary;
  AlignedPlasticity aligned;           // with the AP of HeadInput::texts
  std::optional<Placement> placement;  // if requested, also the next one
  std::optional<Salience> salience;
  std::optional<Decomposition> decomposition;  // if requested
  HeadExtras extras;
  bool dense = false;                                    // captured at every position
  AttentionScores attention;                             // for dense heads
  std::vector<AttentionScores> attentionResampled = {};  // [resample] likewise
  std::vector<double> corrected;  // estimates that replace sampledColumns(); empty: none
};

// Input of the analysis of a head. Copies nothing; everything must outlive the call.
struct HeadInput {
  const HeadId& place;
  const CaptureFrame& frame;
  const VectorRows& query;
  const HeadKeys& key;
  const BinGrid& grid;
  const AnalysisSettings& settings;
  const Progress& progress;
  const Resamples* texts = nullptr;  // for the aligned values; null: none
};

// Adds the aligned values of a head, placement and salience, including those of the resamples of its texts.
// Stopped.
void addAligned(HeadResult& result, const HeadInput& input, const Resamples& resamples);
// Sets `of` to the values of one resample in `result`.
void setResampled(HeadResult& of, const HeadResult& result, std::size_t resample,
                  const AnalysisSettings& settings);

// InputError if a query lies outside the window; Stopped.
HeadResult analyzeHead(const HeadInput& input);

// Computes only the wanted stages. `biasWindow`: the head's Bn if geometry is not wanted (needed by
// bias_snr).
HeadResult analyzeHeadStages(const HeadInput& input, const AnalysisStages& wanted, double biasWindow);

}  // namespace plastiscope
