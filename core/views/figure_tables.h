#pragma once
// Tables of exactly the numbers that a figure shows, for the CSV beside an exported figure.
#include <string>
#include <vector>
#include "core/base/table.h"
#include "core/views/components_data.h"
#include "core/views/depth_data.h"
#include "core/views/head_grid_data.h"
#include "core/views/map_data.h"
#include "core/views/plane_data.h"
#include "core/views/profile_data.h"
#include "core/views/row_colours.h"

namespace plastiscope {

// In reading order: layer, head (group, where a cell has several heads), captured, METRIC
Table tableOf(const HeadGridData& data);
// kind, row, example, position, x, y, and the quantity that colours the rows if it is another one
Table tableOf(const PlaneData& data, const RowColouring* colouring = nullptr);
// Tables with means also have VALUE_low, VALUE_high and interval_over (examples | heads).
// series (mean | L12H6), bin, start, end, tau, heads, pairs, ap, ...
Table profileTableOf(const ProfileData& data);
Table quintileTableOf(const ProfileData& data);  // series (L12H6 | mean), quintile, from, to, heads, ap, ...
Table tableOf(const MapData& data);  // distance_cell, midpoint_cell, distance, midpoint, pairs, pp, shown
Table tableOf(const ComponentsData& data);        // component, explained_variance_ratio, r_q, r_k
Table tableOf(const ComponentWeightsData& data);  // dimension, rope_pair, weight
Table tableOf(const TaxonomyData& data);          // layer, head, r_q, r_k, taxonomy
Table tableOf(const DepthData& data);             // series (mean | median | L12H6), layer, heads, METRIC, ...

// --- Several panels

struct PanelTable {
  std::string panel;  // "a L12H6"
  Table table;
};

// Concatenates all rows behind a column `panel`; a column that a panel lacks is empty in its rows.
Table joinPanels(const std::vector<PanelTable>& panels);

}  // namespace plastiscope
