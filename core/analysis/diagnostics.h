#pragma once
// Further numbers about a head, each a check of something the other tables assume (method.md 7.4, 7.5).
#include "core/analysis/head_rows.h"
#include "core/analysis/planes.h"
#include "core/analysis/query_model.h"
#include "core/analysis/reflected_head.h"

namespace plastiscope {

// How well the head's one position coordinate, s = q . beta / |beta|, tells log2(t + 1).
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
         contentKurtosis = kMissing;  // medians of sizes over the other coordinates
  ScalarPredictability scalar;
  double fullMinusEmpirical = kMissing;  // AP_overall in variance mode full less that in empirical
  Turning planeTurning;                  // of the plane {a, b} itself, its coordinates not centred
};

// Of a head with a query model; `reflected` is made of the queries and the model.
void addShapes(Diagnostics& diagnostics, const KindRows& query, const ReflectedHead& reflected,
               const QueryModel& model);
ScalarPredictability scalarPredictability(const KindRows& query, const ReflectedHead& reflected,
                                          const QueryModel& model);

}  // namespace plastiscope
