#pragma once
// Analyses one head: components, plane, plasticity and all other values.
#include <optional>

#include "core/analysis/aligned_plasticity.h"
#include "core/analysis/ap_summary.h"
#include "core/analysis/attention_scores.h"
#include "core/analysis/bins.h"
#include "core/analysis/head_rows.h"
#include "core/analysis/householder_head.h"
#include "core/analysis/pca.h"
#include "core/analysis/placement.h"
#include "core/analysis/planes.h"
#include "core/analysis/plasticity.h"
#include "core/analysis/query_model.h"
#include "core/analysis/rotation.h"
#include "core/analysis/settings.h"
#include "core/analysis/softmax_positions.h"
#include "core/base/progress.h"

namespace plastiscope {

// How well the position coordinate s = q . beta / |beta| predicts log2(t + 1).
struct ScalarPredictability {
  double r2 = kMissing;
  double error = kMissing;      // mean |log2(t + 1) - line through s|, octaves
  double meanError = kMissing;  // mean |log2(t + 1) - its mean|: the error without s
  double ratio = kMissing;      // error / meanError
};

struct Diagnostics {
  double biasSnr = kMissing;
  double skewness = kMissing, excessKurtosis = kMissing;  // of the queries around their drift line
  double contentSkewness = kMissing,
         contentKurtosis = kMissing;  // medians of absolute values over the other coordinates
  ScalarPredictability scalar;
  double fullMinusEmpirical = kMissing;  // AP_overall with variance full minus that with empirical
  RotationFrequency planeRotation;       // of the plane {a, b} with uncentred coordinates
};

// Projections of the rows of one kind. a and b are raw coordinates (as for mu_q_a and the slopes), pc0 and
// pc1 relative to the mean of the rows used for the components. A missing axis is empty.
struct RowProjections {
  std::vector<std::int64_t> example, position;  // [rows]
  Vector a, b, pc0, pc1;                        // [rows] or empty
  Matrix raw;                                   // [rows, chosen dimensions]
};

struct HeadProjections {
  std::vector<std::int64_t> rawDimensions;  // the columns of raw
  RowProjections query, key;
};

struct HeadExtras {
  std::vector<PlaneResult> planes;
  Diagnostics diagnostics;
  std::optional<HeadProjections> projections;  // if requested
};

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
  bool scored = false;                                   // has the next values
  AttentionScores attention;                             // of its texts
  std::vector<AttentionScores> attentionResampled = {};  // [resample] likewise
  std::optional<AttentionScores> probe;                  // of repeated random tokens
  std::optional<SoftmaxPositions> softmax = {};          // of a dense head whose rows give the softmax
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
