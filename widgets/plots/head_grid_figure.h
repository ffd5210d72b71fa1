#pragma once
// Fills a plot with the head grid: used by the widget and by the export.
#include <optional>
#include <utility>

#include "core/views/head_grid_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

// Where heads and layers stand on their axes: heads at 0, 1, ... with a gap after each KV group; layers at 0,
// 1, ...
class HeadGridPlaces {
 public:
  explicit HeadGridPlaces(const HeadGridData& data);
  double ofHead(std::int64_t head) const;                  // centre
  std::optional<std::int64_t> headAt(double place) const;  // nothing in gaps and outside
  std::optional<std::int64_t> layerAt(double place) const;
  double headsEnd() const;  // right edge of the last head
  double layersEnd() const { return static_cast<double>(m_layers) - 0.5; }

 private:
  std::int64_t m_heads, m_layers, m_group;
  double m_gap;
};

struct HeadGridOptions {
  std::optional<std::pair<double, double>> range;  // of the colours
  bool transposed = false;                         // heads down, layers across
};

// Right end of the heads' axis: the last head, and the layer marks when there are any.
double headGridExtent(const HeadGridData& data);

void buildHeadGrid(const FigurePlace& place, const HeadGridData& data, const PlotStyle& style,
                   const HeadGridOptions& options = {});

}  // namespace plastiscope
