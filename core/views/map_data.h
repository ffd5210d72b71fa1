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
  std::vector<std::int64_t> count;     // [rows * columns] pairs; of published maps 1, as it is not known
  std::int64_t minCount = 30;          // cells below are hatched, never coloured
  std::string scopeText;               // "L12H6", "layer 3", "all heads"
  std::string pairsText;               // "256 pairs per bin" or "all pairs"
  std::string reach;      // why a head of a layer with a window has no pairs further apart; "" = it has
  std::string published;  // how published numbers were read; empty for own ones
  ApKind plasticity = ApKind::Binned;
  std::string note;  // of plasticityNote()

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

// What a bin needs to have a value, as messages say it: "8 queries and 32 key pairs".
std::string neededRows();
// Why the map shows nothing, in one sentence; "" while it shows something.
std::string whyNoMap(const MapData& map);

}  // namespace plastiscope
