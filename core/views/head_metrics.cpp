#include "core/views/head_metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/analysis/statistics.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

constexpr int kSide = 80;             // cells of the grid
constexpr std::size_t kFewest = 50;   // points
constexpr double kBeyond = 3;         // bandwidths around the outermost points
constexpr double kQuartiles = 1.349;  // distance of the quartiles of a normal distribution, in sigma

struct GridAxis {
  double low = 0, step = 0, bandwidth = 0;
  double at(double cell) const { return low + step * cell; }
};

// Nullopt where all points have the same value.
std::optional<GridAxis> gridAxisOf(std::vector<double> values) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  double spread = std::sqrt(squares / (n - 1));
  const double quartiles = (percentileOf(values, 0.75) - percentileOf(values, 0.25)) / kQuartiles;
  if (quartiles > 0) spread = std::min(spread, quartiles);
  if (!(spread > 0)) return std::nullopt;
  GridAxis axis;
  axis.bandwidth = spread * std::pow(n, -1.0 / 6);
  axis.low = values.front() - kBeyond * axis.bandwidth;
  axis.step = (values.back() + kBeyond * axis.bandwidth - axis.low) / (kSide - 1);
  axis.bandwidth = std::max(axis.bandwidth, axis.step);  // not finer than the grid
  return axis;
}

using Grid = std::vector<double>;  // [kSide * kSide], row by row

// Smooths along one direction; `stride`: between neighbours.
void blur(Grid& grid, double cells, int stride, int acrossStride) {
  const int reach = static_cast<int>(std::ceil(3 * cells));
  std::vector<double> kernel;
  for (int i = -reach; i <= reach; ++i) kernel.push_back(std::exp(-0.5 * i * i / (cells * cells)));
  std::array<double, kSide> line{};
  for (int across = 0; across < kSide; ++across) {
    for (int i = 0; i < kSide; ++i) {
      line.at(static_cast<std::size_t>(i)) = 0;
      for (int k = std::max(-reach, -i); k <= std::min(reach, kSide - 1 - i); ++k)
        line.at(static_cast<std::size_t>(i)) +=
            kernel[static_cast<std::size_t>(k + reach)] *
            grid[static_cast<std::size_t>(across * acrossStride + (i + k) * stride)];
    }
    for (int i = 0; i < kSide; ++i)
      grid[static_cast<std::size_t>(across * acrossStride + i * stride)] =
          line.at(static_cast<std::size_t>(i));
  }
}

// The density above which the densest cells hold `share` of the total.
double levelOf(const Grid& grid, double share) {
  Grid sorted = grid;
  std::ranges::sort(sorted, std::greater());
  const double whole = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  double held = 0;
  for (const double density : sorted) {
    held += density;
    if (held >= share * whole) return density;
  }
  return 0;
}

// Marching squares with linear interpolation; a saddle is cut into its two corners.
std::vector<ContourSegment> linesAt(const Grid& grid, double level, const GridAxis& x, const GridAxis& y) {
  std::vector<ContourSegment> lines;
  const auto at = [&grid](int column, int row) {
    return grid[static_cast<std::size_t>(row * kSide + column)];
  };
  for (int row = 0; row + 1 < kSide; ++row) {
    for (int column = 0; column + 1 < kSide; ++column) {
      const std::array<std::pair<int, int>, 4> corners = {
          {{column, row}, {column + 1, row}, {column + 1, row + 1}, {column, row + 1}}};
      std::vector<std::pair<double, double>> cuts;
      for (std::size_t i = 0; i < 4; ++i) {
        const auto [c0, r0] = corners.at(i);
        const auto [c1, r1] = corners.at((i + 1) % 4);
        const double from = at(c0, r0), to = at(c1, r1);
        if ((from >= level) == (to >= level)) continue;
        const double part = (level - from) / (to - from);
        cuts.emplace_back(x.at(c0 + part * (c1 - c0)), y.at(r0 + part * (r1 - r0)));
      }
      for (std::size_t i = 0; i + 1 < cuts.size(); i += 2)
        lines.push_back({cuts[i].first, cuts[i].second, cuts[i + 1].first, cuts[i + 1].second});
    }
  }
  return lines;
}

}  // namespace

std::vector<std::vector<ContourSegment>> densityContours(std::span<const double> x, std::span<const double> y,
                                                         std::span<const double> shares) {
  std::vector<double> xs, ys;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
    xs.push_back(x[i]);
    ys.push_back(y[i]);
  }
  std::vector<std::vector<ContourSegment>> contours(shares.size());
  if (xs.size() < kFewest) return contours;
  const auto across = gridAxisOf(xs), up = gridAxisOf(ys);
  if (!across || !up) return contours;
  Grid grid(kSide * kSide, 0);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const auto column = static_cast<int>(std::lround((xs[i] - across->low) / across->step));
    const auto row = static_cast<int>(std::lround((ys[i] - up->low) / up->step));
    grid[static_cast<std::size_t>(row * kSide + column)] += 1;
  }
  blur(grid, across->bandwidth / across->step, 1, kSide);
  blur(grid, up->bandwidth / up->step, kSide, 1);
  for (std::size_t i = 0; i < shares.size(); ++i)
    contours[i] = linesAt(grid, levelOf(grid, shares[i]), *across, *up);
  return contours;
}

namespace {

std::pair<double, double> rangeOf(const std::vector<double>& values, bool isSigned) {
  Extent extent;
  for (const double value : values) extent.add(value);
  auto [low, high] = extent.known() ? extent : Extent{0, 1};
  if (isSigned) {
    high = std::max(std::fabs(low), std::fabs(high));
    low = -high;
  }
  if (low == high) high = low + 1;
  return {low, high};
}

}  // namespace

HeadMetricsData makeHeadMetrics(const AnalysisFile& analysis, const HeadAxes& axes) {
  const Table& table = requiredTable(analysis, "heads");
  HeadMetricsData data;
  data.x = requiredMetric(table, axes.x);
  data.y = requiredMetric(table, axes.y);
  if (!axes.colour.empty()) data.colour = requiredMetric(table, axes.colour);
  data.classes = taxonomyClasses();
  const HeadColumns names(table);
  const NumberColumn x(table, axes.x), y(table, axes.y);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!std::isfinite(x[row]) || !std::isfinite(y[row])) continue;
    data.heads.push_back(names[row]);
    data.across.push_back(x[row]);
    data.up.push_back(y[row]);
    if (data.colour) data.shade.push_back(numberAt(table, axes.colour, row));
    const auto of = std::ranges::find(data.classes, textAt(table, "taxonomy", row), &TaxonomyClass::name);
    if (of != data.classes.end()) ++of->heads;
    data.classOf.push_back(static_cast<std::size_t>(of - data.classes.begin()));
  }
  if (data.colour) data.shadeRange = rangeOf(data.shade, data.colour->isSigned);
  data.contours = densityContours(data.across, data.up, HeadMetricsData::kShares);
  return data;
}

Table tableOf(const HeadMetricsData& data) {
  Table table{"head-metrics", {}};
  std::vector<std::int64_t> layers, heads;
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < data.heads.size(); ++i) {
    layers.push_back(data.heads[i].layer);
    heads.push_back(data.heads[i].head);
    classes.push_back(data.classOf[i] < data.classes.size() ? data.classes[data.classOf[i]].name : "");
  }
  table.columns = {{"layer", layers}, {"head", heads}, {data.x.column, data.across}};
  if (data.y.column != data.x.column) table.columns.push_back({data.y.column, data.up});
  if (!data.colour)
    table.columns.push_back({"taxonomy", classes});
  else if (table.find(data.colour->column) == nullptr)
    table.columns.push_back({data.colour->column, data.shade});
  return table;
}

}  // namespace plastiscope
