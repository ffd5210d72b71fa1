#pragma once
// Query and key rows of one head in three dimensions: the plane {a, b} with its first complement component or
// with position, or three principal components (method.md, Planar rotation and Principal components).
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/views/plane_data.h"

namespace plastiscope {

// One coordinate of every row, queries first, then keys.
struct CloudAxis {
  std::string label;  // "a": short, for the orientation marker
  std::string name;   // "a, position axis"
  double share =
      std::numeric_limits<double>::quiet_NaN();  // share of the pooled variance, 0..1; missing for position
  std::string title;                             // "a, position axis · 32 %"
  std::vector<float> value;  // [rows], activation units (position: tokens); NaN where the row is not finite
  // Extent of the box around the cloud: all rows or, where single rows lie far outside the bulk, the middle
  // 99 % widened by a quarter on each side.
  double low = 0, high = 0;
  bool activation = true;  // false: tokens, so its length on the screen is free
};

// Three axes that can be shown together. The complement is the pool's direction of largest variance
// orthogonal to a and b.
struct CloudFrame {
  std::string id;                     // "complement", "principal", "position": stored in settings
  std::string title;                  // "a, b, c1"
  std::array<std::size_t, 3> axes{};  // into CloudData::axes: across, up, towards the viewer
};

struct CloudData {
  HeadName head;
  std::int64_t window = 0;
  std::size_t queryRows = 0;                    // row i < queryRows is query i, else key i - queryRows
  std::vector<std::int32_t> position, example;  // [rows]
  std::vector<std::string> exampleIds;
  std::vector<CloudAxis> axes;
  std::vector<CloudFrame> frames;  // frames whose three axes exist; the first is the default
  std::string missing;             // why there is no frame; empty when there is one

  std::size_t rows() const { return position.size(); }
  QueryOrKey kind(std::size_t row) const { return row < queryRows ? QueryOrKey::Query : QueryOrKey::Key; }
  std::int64_t rowOfKind(std::size_t row) const {  // row of CaptureFile::rows() of its kind
    return static_cast<std::int64_t>(row < queryRows ? row : row - queryRows);
  }
  double positionShare(std::size_t row) const;  // position in the window, 0 (first token) .. 1 (last)
};

// Unit vectors of a head, [head_dim] each; empty where the analysis has none.
struct CloudDirections {
  std::vector<double> a, b;
  std::array<std::vector<double>, 3> pc;
};

// Needs the tables heads and axes and the study's capture; without capture or axes, `missing` has the reason.
CloudData makeCloud(const Study& study, HeadName head);

// Projects the rows; shares are computed from them. InputError when vectors and directions differ in length.
CloudData projectCloud(const CapturedRows& query, const CapturedRows& key, const CloudDirections& directions,
                       std::int64_t window);

}  // namespace plastiscope
