#pragma once
// Everything the analysis says about one head.
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

// The keys of a KV head with what its query heads share.
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
  std::optional<Placement> placement;  // only where the settings ask for it, as the next one
  std::optional<Salience> salience;
  std::optional<Decomposition> decomposition;  // only where the settings ask for it
  HeadExtras extras;
  bool dense = false;                                    // captured at every position
  AttentionScores attention;                             // of dense heads
  std::vector<AttentionScores> attentionResampled = {};  // [resample] likewise
  std::vector<double> corrected;  // estimates of sampledColumns() in their place; empty: as they are
};

// What a head is analysed from; nothing is copied, and everything must outlive the call.
struct HeadInput {
  const HeadId& place;
  const CaptureFrame& frame;
  const VectorRows& query;
  const HeadKeys& key;
  const BinGrid& grid;
  const AnalysisSettings& settings;
  const Progress& progress;
  const Resamples* texts = nullptr;  // of the aligned values; null: none
};

// Adds the aligned values of a head, placement and salience, with those of the resamples of its texts.
// Stopped as below.
void addAligned(HeadResult& result, const HeadInput& input, const Resamples& resamples);
// What `result` holds of one of them.
void setResampled(HeadResult& of, const HeadResult& result, std::size_t resample,
                  const AnalysisSettings& settings);

// InputError when a query lies outside the window; Stopped when progress asks for it.
HeadResult analyzeHead(const HeadInput& input);

// Only the wanted parts. `biasWindow`: the head's Bn where geometry is not wanted (bias_snr is set against
// it).
HeadResult analyzeHeadStages(const HeadInput& input, const AnalysisStages& wanted, double biasWindow);

}  // namespace plastiscope
