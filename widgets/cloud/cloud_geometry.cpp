#include "widgets/cloud/cloud_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

constexpr double kThinnest = 0.02;  // half length of an axis without extent

void placeAxes(CloudLayout& layout, const CloudData& data, const CloudFrame& frame) {
  double longest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const CloudAxis& axis = data.axes[frame.axes[i]];
    layout.axes[i] = {axis.title, axis.label, axis.low, axis.high, 1, !axis.activation};
    if (axis.activation) longest = std::max(longest, axis.high - axis.low);
  }
  for (SceneAxis& axis : layout.axes) {
    if (axis.tokens) continue;
    axis.half = longest > 0 ? std::max(kThinnest, (axis.high - axis.low) / longest) : kThinnest;
  }
}

}  // namespace

double SceneAxis::toScene(double value) const {
  const double extent = high - low;
  return extent > 0 ? half * (2 * (value - low) / extent - 1) : 0;
}

CloudLayout layOut(const CloudData& data, const CloudFrame& frame) {
  CloudLayout layout;
  placeAxes(layout, data, frame);
  layout.xyz.reserve(3 * data.rows());
  layout.row.reserve(data.rows());
  for (std::size_t row = 0; row < data.rows(); ++row) {
    std::array<float, 3> place{};
    bool finite = true;
    for (std::size_t i = 0; i < 3; ++i) {
      place[i] = static_cast<float>(
          layout.axes[i].toScene(static_cast<double>(data.axes[frame.axes[i]].value[row])));
      finite = finite && std::isfinite(place[i]);
    }
    if (!finite) continue;
    layout.xyz.insert(layout.xyz.end(), place.begin(), place.end());
    layout.row.push_back(row);
  }
  return layout;
}

std::vector<double> axisTicks(double low, double high, int most) {
  std::vector<double> ticks;
  const double extent = high - low;
  if (!(extent > 0) || !std::isfinite(extent) || most < 1) return ticks;
  double step = std::pow(10, std::floor(std::log10(extent / most)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0}) {
    if (std::floor(high / (factor * step)) - std::ceil(low / (factor * step)) + 1 > most) continue;
    step *= factor;
    break;
  }
  for (double i = std::ceil(low / step); i * step <= high && ticks.size() < 100; ++i)
    ticks.push_back(i * step);
  return ticks;
}

std::string tickText(const SceneAxis& axis, double value, double step) {
  if (axis.tokens) return withCommas(std::llround(value));
  const int decimals =
      step > 0 ? std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 6) : 0;
  return fixedText(value, decimals);
}

std::optional<ScreenPoint> SceneView::project(const ScenePoint& point) const {
  std::array<double, 4> clip{};
  for (std::size_t i = 0; i < 4; ++i) {
    const double* line = matrix.data() + 4 * i;
    clip[i] = line[0] * point[0] + line[1] * point[1] + line[2] * point[2] + line[3];
  }
  if (!(clip[3] > 0)) return std::nullopt;
  return ScreenPoint{0.5 * width * (1 + clip[0] / clip[3]), 0.5 * height * (1 - clip[1] / clip[3]),
                     clip[2] / clip[3]};
}

std::optional<std::size_t> pickPoint(const CloudLayout& layout, const SceneView& view, const PickPlace& at) {
  std::optional<std::size_t> covering, near;
  double frontDepth = std::numeric_limits<double>::infinity();
  double nearest = at.reach * at.reach;
  for (std::size_t i = 0; i < layout.points(); ++i) {
    const float* p = layout.xyz.data() + 3 * i;
    const auto place =
        view.project({static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])});
    if (!place) continue;
    const double dx = place->x - at.x, dy = place->y - at.y;
    const double distance = dx * dx + dy * dy;
    if (distance <= at.pointRadius * at.pointRadius && place->depth < frontDepth) {
      covering = i;
      frontDepth = place->depth;
    }
    if (distance <= nearest) {
      near = i;
      nearest = distance;
    }
  }
  return covering ? covering : near;
}

}  // namespace plastiscope
