#pragma once
// Query and key rows of one head on two axes: the {a, b} plane or PC0 x PC1 (method.md, Planar rotation and
// Principal components).
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/query_or_key.h"
#include "core/views/study_facts.h"

namespace plastiscope {

struct PlanePoint {
  double x = 0, y = 0;
};

// Rows of one kind; index i is row i of CaptureFile::rows(). Rows with a non-finite coordinate are NaN.
struct PlaneRows {
  std::vector<float> x, y;                      // [rows], activation units
  std::vector<float> norm, rest;                // [rows], norm of the row, and of its part outside the plane
  std::vector<std::int32_t> position, example;  // [rows]
  PlanePoint centroid;                          // mean of the rows
  PlanePoint arrowStart, arrowEnd;  // least-squares mean at position 0 and at the end of the window
  bool hasArrow = false;            // at least two distinct positions
  double rX = kMissing;             // Pearson(x, position)
  double rY = kMissing;
  std::size_t size() const { return x.size(); }
};

struct PlaneAxis {
  std::string name;         // rich text: "<i>a</i>, position axis"
  double share = kMissing;  // share of the pooled variance, 0..1
  // "a, position axis · 32 % of variance · <i>r</i><sub>Q</sub> 0.91 · <i>r</i><sub>K</sub> 0.87"
  std::string title;
};

// Initial range of the axes: all rows or, where a few outliers would squeeze the rest, 99.6 % of them.
struct PlaneRange {
  double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1;
  std::int64_t outside = 0;  // rows outside the range
};

struct PlaneData {
  HeadName head;
  std::int64_t window = 0;
  PlaneAxis xAxis, yAxis;
  PlaneRows query, key;
  PlaneRange range;
  std::vector<std::string> exampleIds;
  std::string missing;  // why there is no plane (no capture, no axis); empty when there is one

  const PlaneRows& rows(QueryOrKey kind) const { return kind == QueryOrKey::Query ? query : key; }
};

// Needs the tables heads and axes and the capture; without an axis or a capture, `missing` has the reason.
PlaneData makeAbPlane(const Study& study, HeadName head);
// Rows minus the pooled mean, projected on pc0 and pc1.
PlaneData makePcaPlane(const Study& study, HeadName head);

// Two directions [head_dim]; `centre`: coordinates are relative to the pooled mean.
struct PlaneDirections {
  std::vector<double> x, y;
  bool centre = false;
};
// Used by both. InputError when vectors and directions differ in length.
PlaneData projectRows(const CapturedRows& query, const CapturedRows& key, const PlaneDirections& directions,
                      std::int64_t window);

// Captured rows of a head: its queries, or the keys of its key head.
CapturedRows rowsOf(const Study& study, HeadName head, RowSet set);
// "L1H0 has no axis a: its rows do not determine one"
std::string missingAxis(HeadName head, const std::string& axis);
// Why a study has no rows of a head, "" when it has; UsageError when the head was not captured.
std::string whyNoRows(const Study& study, HeadName head);

// Name of an example: its id, or its number where the id is unknown.
std::string exampleLabel(const std::vector<std::string>& ids, std::int32_t example);

// Direction of one axis of a head from the table axes, [head_dim]; empty when one of its numbers is missing.
std::vector<double> axisOf(const AnalysisFile& analysis, HeadName head, const std::string& name,
                           std::int64_t headDim);

}  // namespace plastiscope
