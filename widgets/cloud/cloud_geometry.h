#pragma once
// Geometry of the cloud's scene and screen: plain numbers, no Qt, no VTK.
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/views/cloud_data.h"

namespace plastiscope {

using ScenePoint = std::array<double, 3>;  // across, up, towards the viewer

struct SceneAxis {
  std::string title, label;
  double low = 0, high = 0;  // limits of the box, in the axis' unit
  double half = 1;           // half of the box's length in the scene
  bool tokens = false;       // integers with thousands commas

  double toScene(double value) const;  // low -> -half, high -> +half
};

// Layout of a frame of CloudData: its box is centred on the origin with a longest side of 2. Activation axes
// have a common scale; a position axis is as long as the longest of them.
struct CloudLayout {
  std::array<SceneAxis, 3> axes;
  std::vector<float> xyz;        // [points, 3]
  std::vector<std::size_t> row;  // [points] rows of CloudData: those with three finite coordinates
  std::size_t points() const { return row.size(); }
};
CloudLayout layOut(const CloudData& data, const CloudFrame& frame);

// Tick values of an axis inside its box: at most `most`, multiples of 1, 2 or 5 times a power of ten.
std::vector<double> axisTicks(double low, double high, int most);
std::string tickText(const SceneAxis& axis, double value, double step);

struct ScreenPoint {
  double x = 0, y = 0;  // logical pixels from the top left corner
  double depth = 0;     // -1 near .. 1 far
};

// Camera state.
struct SceneView {
  std::array<double, 16> matrix{};          // scene to clip space, row by row
  std::array<ScreenPoint, 3> directions{};  // axes in view coordinates: right, up, towards
  double width = 0, height = 0;             // logical pixels

  std::optional<ScreenPoint> project(const ScenePoint& point) const;  // nullopt behind the viewer
};

struct PickPlace {
  double x = 0, y = 0;     // logical pixels
  double pointRadius = 0;  // radius of the discs
  double reach = 0;
};
// The point under the cursor: the frontmost of those whose disc contains it, else the one nearest to the
// cursor within its reach.
std::optional<std::size_t> pickPoint(const CloudLayout& layout, const SceneView& view, const PickPlace& at);

}  // namespace plastiscope
