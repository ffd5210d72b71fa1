#pragma once
// The plasticity map: inter-key distance x query-to-midpoint distance (method.md, Plasticity map).
#include <cstdint>
#include <string>
#include <vector>

#include "core/views/plasticity_choice.h"
#include "core/views/study_facts.h"

namespace plastiscope {

struct MapData {
  std::int64_t window = 0, cell = 0;   // tokens
  std::int64_t columns = 0, rows = 0;  // columns: distance cells; rows: midpoint cells, row 0 at the bottom
  std::vector<double> mean;            // [rows * columns] mean PP; NaN where no pair fell
  std::vector<std::int64_t> count;     // [rows * columns] pairs; 1 in published maps, where it is unknown
  std::int64_t minCount = 30;          // cells below are hatched, never coloured
  std::string scopeText;               // "L12H6", "layer 3", "all heads"
  std::string pairsText;               // "256 pairs per bin" or "all pairs"
  std::string reach;                   // why a windowed layer has no pairs further apart; "" = not limited
  std::string published;               // how published numbers were read; empty for analyses
  ApKind plasticity = ApKind::Binned;
  std::string note;  // plasticityNote()

  std::size_t index(std::int64_t column, std::int64_t row) const {
    return static_cast<std::size_t>(row * columns + column);
  }
  std::int64_t cellsBelowMinimum() const;
};

// One head: its rows of map.csv, or of map_aligned.csv. A layer, several heads: pair-weighted over them. All:
// map_model.csv, or pair-weighted over map.csv when the analysis has none.
MapData makeMap(const AnalysisFile& analysis, const HeadScope& scope,
                ApKind plasticity = ApKind::Binned);

// Distances from the query to the nearer and the farther key at a cell's centre, in tokens; not negative.
struct KeyDistances {
  double nearer = 0, farther = 0;
};
KeyDistances keyDistances(const MapData& map, std::int64_t column, std::int64_t row);

// Minimum rows of a bin for a value, as in messages: "8 queries and 32 key pairs".
std::string neededRows();
// One sentence on why the map is empty; "" if it is not.
std::string whyNoMap(const MapData& map);

}  // namespace plastiscope
