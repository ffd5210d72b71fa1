#pragma once
// Query and key rows of one head in two axes: the {a, b} plane (method.md 3) or PC0 x PC1 (method.md 2).
#include <array>
#include <cstdint>
#include <limits>
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
  std::vector<std::int32_t> position, example;  // [rows]
  PlanePoint centroid;                          // mean of the rows
  PlanePoint arrowStart, arrowEnd;  // least-squares mean at position 0 and at the end of the window
  bool hasArrow = false;            // at least two distinct positions
  double rX = std::numeric_limits<double>::quiet_NaN();  // Pearson(x, position)
  double rY = std::numeric_limits<double>::quiet_NaN();
  std::size_t size() const { return x.size(); }
};

struct PlaneAxis {
  std::string name;                                         // rich text: "<i>a</i>, position axis"
  double share = std::numeric_limits<double>::quiet_NaN();  // share of the pooled variance, 0..1
  // "a, position axis · 32 % of variance · <i>r</i><sub>Q</sub> 0.91 · <i>r</i><sub>K</sub> 0.87"
  std::string title;
};

// What is shown at first: all rows, unless a few far ones would squeeze the rest; then that of 99.6 % of
// them.
struct PlaneRange {
  double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1;
  std::int64_t outside = 0;  // rows beyond it
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

// Needs the tables heads and axes and the study's capture; without an axis or a capture, `missing` says so.
PlaneData makeAbPlane(const Study& study, HeadName head);
// Rows minus the pooled mean, projected on pc0 and pc1.
PlaneData makePcaPlane(const Study& study, HeadName head);

// The work of both: two axes [head_dim], optional centring on the pooled mean.
PlaneData projectRows(const CapturedRows& query, const CapturedRows& key, const std::vector<double>& xAxis,
                      const std::vector<double>& yAxis, bool centre, std::int64_t window);

// The direction of one axis of a head, from the table axes: [head_dim]; empty when one of its numbers is
// missing.
std::vector<double> axisOf(const Table& axes, HeadName head, const std::string& name, std::int64_t headDim);

}  // namespace plastiscope
