#pragma once
// Computes what-if values: AP if a head drifted less, its content varied more, ... Prepared once, then
// evaluated in milliseconds for sliders. Uses variance = thesis and the pairs of the analysis.
#include <vector>

#include "core/analysis/ap_summary.h"
#include "core/analysis/head_analysis.h"

namespace plastiscope {

// Changes of a head. By default every scale is 1 and nothing is frozen: the head as it is.
struct WhatIf {
  double beta = 1;      // scale of the queries' drift around their mean position; 0: no_position (method.md)
  double alphaKey = 1;  // scale of the keys' drift along a around their mean position; 0: bias clamped
  double contentVariance = 1;   // scale of the queries' variance off the drift coordinate
  bool freezeMean = false;      // use the mean content of all valid bins in every bin
  bool freezeVariance = false;  // likewise the variance of content; both: content_frozen
};

struct WhatIfResult {
  std::vector<BinResult> bins;
  ApSummary summary;
};

class WhatIfHead {
 public:
  // UsageError for settings without a drift line: variance other than thesis, pair_scope same_bucket,
  // orientation legacy.
  explicit WhatIfHead(const HeadInput& input);

  WhatIfResult evaluate(const WhatIf& change) const;

 private:
  struct Bin {
    BinResult result;  // without ap
    BinDrift drift;
    std::vector<KeyPair> pairs;  // pairs kept by the analysis
  };
  BinDrift frozenContent() const;  // query-count weighted means over the valid bins
  double valueBin(const Bin& bin, const BinDrift& frozen, const WhatIf& change, const Matrix& keys,
                  std::int64_t& dropped) const;

  std::int64_t m_window;
  AnalysisSettings m_settings;
  QueryModel m_model;
  std::vector<Bin> m_bins;
  Matrix m_keys;       // [keys in order, padded head_dim], reflected
  Vector m_keyDrift;   // [keys]: alpha_K * (t - mean t), activation along a
  Vector m_direction;  // [padded head_dim]: a, reflected; empty without a
};

// Scales the keys' drift along a (`slope` per token) around their mean position.
VectorRows withScaledDrift(VectorRows keys, const Vector& a, double slope, double scale);

}  // namespace plastiscope
