#pragma once
// Data of the comparison matrix: rows are views, columns are captures, the first of which is the baseline.
// Rows show values, or differences from the baseline with 95 % intervals over texts.
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/compare/compared_losses.h"
#include "core/compare/compared_profiles.h"
#include "core/compare/matching.h"
#include "core/compare/text_inference.h"
#include "core/views/head_interval.h"
#include "core/views/metric_info.h"
#include "core/views/plane_data.h"

namespace plastiscope {

enum class MatrixRow { Grid, Plane, Map, Profile, Quintiles, Loss, Numbers };
constexpr std::array<const char*, 7> namesOf(MatrixRow) {
  return {"grid", "plane", "map", "profile", "quintiles", "loss", "numbers"};
}
inline constexpr std::array kMatrixRows = {MatrixRow::Grid,    MatrixRow::Plane,     MatrixRow::Map,
                                           MatrixRow::Profile, MatrixRow::Quintiles, MatrixRow::Loss,
                                           MatrixRow::Numbers};
std::string titleOf(MatrixRow row);  // "Head grid"
bool hasDifferences(MatrixRow row);  // planes have none: each head has its own axes
// Whether a row shows either values or differences; the numbers show both.
inline bool choosesDifferences(MatrixRow row) {
  return hasDifferences(row) && row != MatrixRow::Numbers;
}
inline constexpr bool isOverview(MatrixRow row) {  // can show many columns
  return row == MatrixRow::Profile || row == MatrixRow::Quintiles || row == MatrixRow::Loss ||
         row == MatrixRow::Numbers;
}
inline constexpr std::size_t kMaxMatrixColumns = 32,
                             kMaxMatrixDetailed = 12;  // in overview rows; in other rows

// A value with its 95 % interval, or a difference of two.
struct MatrixEstimate {
  double value = kMissing;
  Interval interval = {};
  IntervalOver over = IntervalOver::None;
  std::string verdict = {};  // of a difference: as TextTest's, or why there is none; "": untested
  bool isKnown() const { return value == value; }
};
// Difference of a single head in two captures, from its intervals over examples by MOVER (Zou and Donner
// 2008): the distances to the interval ends are combined as a root of squares. Too wide if the captures share
// texts. Without both intervals the difference has none.
MatrixEstimate unpairedDifference(const MatrixEstimate& baseline, const MatrixEstimate& other);

struct MatrixNumber {
  MetricInfo metric;
  std::vector<MatrixEstimate> value, difference;  // [columns]; the baseline has no difference
};

// Differences of profile bins and quintiles.
struct ProfileDifference {
  std::vector<double> place;         // [bins] share of the window, or tokens
  std::vector<MatrixEstimate> bins;  // [bins]
  std::array<MatrixEstimate, 5> quintiles{};
};

struct MatrixChoice {
  std::set<MatrixRow> rows{kMatrixRows.begin(), kMatrixRows.end()};
  std::set<MatrixRow> differences;  // rows that show differences
  std::string metric = "ap_overall";
  bool tokens = false;           // positions in tokens instead of shares of each window
  std::optional<HeadName> head;  // in the first column with heads; none: its first head
  bool ofHead = false;           // profiles and quintiles of the head instead of means over heads
};

// Data of all compared models that both the charts and the matrix show.
struct ComparedData {
  HeadMatching matching = HeadMatching::SameHead;
  std::vector<std::optional<HeadName>> heads;  // [models] the chosen head and its matches
  ComparedGrids grids;                         // empty unless the row is shown
  // [models] over all heads, or of the matched head; null where there is none, or the row is not shown
  ComparedMaps maps;
  ComparedProfiles profiles;
  ComparedLosses losses;
};
// `published`: adds the thesis' curves of known models.
ComparedData compareData(const Comparison& comparison, const MatrixChoice& choice, bool published = false);

struct CompareMatrix : ComparedData {
  MatrixChoice choice;
  std::vector<ComparedName> columns;
  std::vector<std::string> notes;  // [columns] "131,072 tokens · 300 heads · published"
  MetricInfo metric;
  std::vector<std::shared_ptr<const HeadGridData>> gridDifferences;  // [columns] null: none
  double gridReach = 0.5;                                            // largest difference of the colour scale
  std::vector<std::shared_ptr<const PlaneData>> planes;              // [columns] null: not asked for
  PlaneRange planeRange;                                             // common to all planes
  std::vector<std::shared_ptr<const MapData>> mapDifferences;        // [columns] null: none
  double mapReach = 0.5;
  std::vector<ProfileDifference> profileDifferences;  // [columns] empty for the baseline
  std::vector<MatrixNumber> numbers;

  bool shows(MatrixRow row) const { return choice.rows.contains(row); }
  bool hasTextIntervals(MatrixRow row) const;  // on differences
  // Numbers always show their differences.
  bool differs(MatrixRow row) const {
    return row == MatrixRow::Numbers || (choice.differences.contains(row) && hasDifferences(row));
  }
};

// The map of all heads, or of the matched head; the published one for published models. Null if there is
// none.
std::shared_ptr<const MapData> comparedMap(const ComparedModel& model, const std::optional<HeadName>& head,
                                           bool ofHead, ApKind plasticity);
// `studies`: of the models in order, for their rows. Views that no capture has are removed from choice.rows.
CompareMatrix makeMatrix(const Comparison& comparison,
                         const std::vector<std::shared_ptr<const Study>>& studies, MatrixChoice choice);
// `data`: made with the same choice and at least the rows that are shown.
CompareMatrix makeMatrix(const Comparison& comparison,
                         const std::vector<std::shared_ptr<const Study>>& studies, MatrixChoice choice,
                         ComparedData data);

// Columns: row, model, place, value, low, high, difference, difference_low, difference_high, interval_over,
// difference_over, verdict. Has the plotted numbers of all rows except planes, which are exported with their
// own figure.
Table tableOf(const CompareMatrix& matrix);

}  // namespace plastiscope
