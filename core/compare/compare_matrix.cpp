#include "core/compare/compare_matrix.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/compare/difference_tests.h"
#include "core/compare/measures.h"
#include "core/compare/published_figures.h"

namespace plastiscope {

namespace {

using Studies = std::vector<std::shared_ptr<const Study>>;

Interval endsOf(const std::vector<double>& low, const std::vector<double>& high, std::size_t i) {
  return i < low.size() && i < high.size() ? Interval{low[i], high[i]} : Interval();
}

bool pairsHeads(const ComparedModel& baseline, const ComparedModel& other) {
  const StudyFacts &a = baseline.facts, &b = other.facts;
  return !baseline.published && !other.published && a.architecture == b.architecture &&
         a.layers == b.layers && a.queryHeads == b.queryHeads;
}

// ---- Head grids

// Each head of `other` minus the head at the same relative depth in the baseline.
std::shared_ptr<const HeadGridData> gridDifference(const ComparedModel& baseline, const HeadGridData& first,
                                                   const ComparedModel& other, const HeadGridData& grid) {
  if (auto same = differenceGrid(first, grid)) return same;
  auto difference = std::make_shared<HeadGridData>(grid);
  difference->source = nullptr;
  difference->metric.label = "difference of " + grid.metric.label;
  difference->metric.isSigned = true;
  difference->metric.range.reset();
  double reach = 0;
  for (const HeadName& head : other.heads) {
    HeadGridCell& cell = difference->cells[static_cast<std::size_t>(head.layer * grid.heads + head.head)];
    const auto match = matchedHead(other, head, baseline, HeadMatching::RelativeDepth);
    cell.value = match ? cell.value - first.at(match->layer, match->head).value : kMissing;
    if (std::isfinite(cell.value)) reach = std::max(reach, std::fabs(cell.value));
  }
  difference->high = reach > 0 ? reach : 0.5;
  difference->low = -difference->high;
  return difference;
}

// ---- Maps

// Each cell of `other` minus the baseline's cell at the same share of the window.
std::shared_ptr<const MapData> mapDifferenceOf(const MapData& baseline, const MapData& other) {
  if (const auto same = differenceMap(baseline, other)) return std::make_shared<MapData>(same->map);
  auto difference = std::make_shared<MapData>(other);
  const auto cellAt = [](std::int64_t index, const MapData& from, const MapData& to) {
    const double share = (static_cast<double>(index) + 0.5) * static_cast<double>(from.cell) /
                         static_cast<double>(from.window);
    return static_cast<std::int64_t>(share * static_cast<double>(to.window) / static_cast<double>(to.cell));
  };
  for (std::int64_t row = 0; row < other.rows; ++row) {
    for (std::int64_t column = 0; column < other.columns; ++column) {
      const std::size_t index = other.index(column, row);
      const std::int64_t x = cellAt(column, other, baseline), y = cellAt(row, other, baseline);
      const bool inside = x < baseline.columns && y < baseline.rows;
      const std::size_t first = inside ? baseline.index(x, y) : 0;
      const bool enough = inside && baseline.count[first] >= std::max<std::int64_t>(1, baseline.minCount);
      difference->mean[index] = enough ? other.mean[index] - baseline.mean[first] : kMissing;
      if (!enough) difference->count[index] = 0;
    }
  }
  return difference;
}

double reachOf(const MapData& map) {
  double reach = 0;
  for (std::size_t i = 0; i < map.mean.size(); ++i) {
    if (map.count[i] >= map.minCount && std::isfinite(map.mean[i]))
      reach = std::max(reach, std::fabs(map.mean[i]));
  }
  return reach;
}

// ---- Planes

constexpr std::size_t kPlaneRows = 4000;  // of each kind; more would overlap

// Keeps evenly spaced rows; values computed from all rows stay.
void thin(PlaneRows& rows) {
  if (rows.size() <= kPlaneRows) return;
  const std::size_t all = rows.size();
  const auto keep = [all](auto& values) {
    for (std::size_t i = 0; i < kPlaneRows; ++i) values[i] = values[i * all / kPlaneRows];
    values.resize(kPlaneRows);
  };
  keep(rows.x);
  keep(rows.y);
  keep(rows.position);
  keep(rows.example);
}

// `head`: the matched head; none if it was not captured.
std::shared_ptr<const PlaneData> planeOf(const ComparedModel& model,
                                         const std::shared_ptr<const Study>& study,
                                         const std::optional<HeadName>& head) {
  auto plane = std::make_shared<PlaneData>();
  if (head && study->capture != nullptr)
    *plane = makeAbPlane(*study, *head);
  else
    plane->missing = model.published ? "No rows are published."
                     : head          ? "Only the analysis was opened, without the rows of its capture."
                                     : "The head was not captured.";
  thin(plane->query);
  thin(plane->key);
  return plane;
}

PlaneRange commonRange(const std::vector<std::shared_ptr<const PlaneData>>& planes) {
  std::optional<PlaneRange> all;
  for (const auto& plane : planes) {
    if (plane == nullptr || !plane->missing.empty()) continue;
    const PlaneRange& one = plane->range;
    if (!all) {
      all = one;
      continue;
    }
    all->xLow = std::min(all->xLow, one.xLow);
    all->xHigh = std::max(all->xHigh, one.xHigh);
    all->yLow = std::min(all->yLow, one.yLow);
    all->yHigh = std::max(all->yHigh, one.yHigh);
  }
  return all.value_or(PlaneRange());
}

// ---- Profiles and quintiles

std::vector<double> placesOf(const ComparedProfile& profile, bool tokens) {
  std::vector<double> places;
  for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin)
    places.push_back(tokens ? profile.tokens[bin] : profile.share(bin));
  return places;
}

MatrixEstimate binOf(const ComparedProfile& profile, std::size_t bin) {
  return {profile.head ? profile.headAp[bin] : profile.mean[bin], endsOf(profile.low, profile.high, bin),
          profile.head ? IntervalOver::Examples : IntervalOver::Heads};
}

// Interpolates linearly between bins; missing outside of them.
MatrixEstimate estimateAt(const ComparedProfile& profile, const std::vector<double>& places, double place) {
  const auto after = std::ranges::lower_bound(places, place);
  if (after == places.end() || (after == places.begin() && *after > place)) return {};
  const auto high = static_cast<std::size_t>(after - places.begin());
  const MatrixEstimate above = binOf(profile, high);
  if (*after == place || high == 0) return above;
  const MatrixEstimate below = binOf(profile, high - 1);
  const double part = (place - places[high - 1]) / (places[high] - places[high - 1]);
  const auto between = [part](double a, double b) { return a + part * (b - a); };
  return {
      between(below.value, above.value),
      {between(below.interval.low, above.interval.low), between(below.interval.high, above.interval.high)}};
}

// Mean of the differences head by head.
double pairedMean(const ProfileField& first, const ProfileField& other, std::size_t bin) {
  std::vector<double> differences;
  for (std::size_t h = 0; h < other.heads.size(); ++h) {
    const auto same = std::ranges::find(first.heads, other.heads[h]);
    if (same == first.heads.end()) continue;
    const auto from = static_cast<std::size_t>(same - first.heads.begin());
    differences.push_back(other.ap[other.index(h, bin)] - first.ap[first.index(from, bin)]);
  }
  return meanOfPresent(differences);
}

// Difference tested over texts, unless the bins differ.
MatrixEstimate estimateOf(const Comparison& comparison, const ComparedModel& model, const std::string& metric,
                          const TextDifference& difference) {
  if (hasOtherBins(comparison.models.front(), model, metric))
    return {difference.value, {}, IntervalOver::None, kOtherBins};
  const TextTest test = testOf(difference, marginOf(metric, comparison.options));
  return {test.difference, test.interval, IntervalOver::ByTexts, test.verdict};
}

// Difference of the means over heads, paired if the heads match, or of the medians.
MatrixEstimate middleDifference(const Comparison& comparison, const ComparedModel& model,
                                const std::string& metric) {
  const ComparedModel& baseline = comparison.models.front();
  const auto own = [&](const ComparedModel& of) {
    return overHeads(textValues(of, metric, of.heads), usesMedian(metric));
  };
  const bool paired = pairsHeads(baseline, model) && !usesMedian(metric);
  return estimateOf(comparison, model, metric,
                    paired ? differenceOverHeads(textValues(baseline, metric, model.heads),
                                                 textValues(model, metric, model.heads))
                           : differenceOf(own(baseline), own(model)));
}

// Aligned means on the same bins have intervals over texts, single heads those from their intervals over
// examples; other differences have none.
std::vector<MatrixEstimate> binDifferences(const Comparison& comparison, const ComparedProfiles& profiles,
                                           std::size_t index, bool tokens) {
  const ComparedModel &baselineModel = comparison.models.front(), &model = comparison.models[index];
  const ComparedProfile &baseline = profiles.models.front(), &other = profiles.models[index];
  const std::vector<double> places = placesOf(baseline, tokens), there = placesOf(other, tokens);
  const bool sameBins = !baseline.head && !other.head && baseline.tokens == other.tokens;
  const auto replicatesOf = [&](const ComparedModel& of) {
    return sameBins && other.aligned ? of.replicates->profile() : std::vector<TextValue>();
  };
  const std::vector<TextValue> before = replicatesOf(baselineModel), after = replicatesOf(model);
  const bool paired = sameBins && pairsHeads(baselineModel, model);
  const ApKind shown = comparison.plasticity.kind;
  const auto first = paired ? makeProfileField(*baselineModel.analysis, {}, shown) : nullptr,
             second = paired ? makeProfileField(*model.analysis, {}, shown) : nullptr;
  std::vector<MatrixEstimate> differences;
  for (std::size_t bin = 0; bin < there.size(); ++bin) {
    MatrixEstimate from = estimateAt(baseline, places, there[bin]), to = binOf(other, bin);
    if (!baseline.head || !other.head) from.interval = to.interval = {};
    MatrixEstimate& one = differences.emplace_back(unpairedDifference(from, to));
    if (paired) one.value = pairedMean(*first, *second, bin);
    if (bin >= before.size() || bin >= after.size()) continue;
    TextDifference tested = differenceOf(before[bin], after[bin]);
    tested.value = one.value;
    one = estimateOf(comparison, model, "ap_aligned", tested);
  }
  return differences;
}

ProfileDifference profileDifference(const Comparison& comparison, const ComparedProfiles& profiles,
                                    std::size_t index, bool tokens) {
  const ComparedModel& model = comparison.models[index];
  const ComparedProfile &baseline = profiles.models.front(), &other = profiles.models[index];
  ProfileDifference difference;
  if (baseline.aligned != other.aligned) return difference;  // published profiles are binned
  difference.place = placesOf(other, tokens);
  difference.bins = binDifferences(comparison, profiles, index, tokens);
  for (std::size_t k = 0; k < 5; ++k) {
    const std::string name = columnAs(comparison.plasticity.kind, "ap_quintile_" + std::to_string(k + 1));
    MatrixEstimate& one = difference.quintiles.at(k);
    const ComparedModel& first = comparison.models.front();
    if (first.published || model.published || baseline.head.has_value() != other.head.has_value())
      one.value = other.quintiles.at(k) - baseline.quintiles.at(k);
    else if (baseline.head)
      one = estimateOf(comparison, model, name,
                       differenceOverHeads(textValues(first, name, {*baseline.head}),
                                           textValues(model, name, {*other.head})));
    else
      one = middleDifference(comparison, model, name);
  }
  return difference;
}

// ---- Numbers

MatrixNumber matrixNumber(const Comparison& comparison, const std::string& metric) {
  const ComparedColumn column = comparedColumn(comparison, metric);
  MatrixNumber number;
  number.metric = describeMeasure(usesMedian(metric) ? metric + "_median" : metric);
  const ComparedModel& baseline = comparison.models.front();
  for (std::size_t m = 0; m < comparison.models.size(); ++m) {
    const ComparedModel& model = comparison.models[m];
    number.value.push_back({column.middle(m), column.intervals[m], column.over});
    if (m == 0)
      number.difference.emplace_back();
    else if (baseline.published || model.published)
      number.difference.push_back({column.middle(m) - column.middle(0)});
    else
      number.difference.push_back(middleDifference(comparison, model, metric));
  }
  return number;
}

// "4,096 tokens" and "24 of 270 heads"
std::string noteOf(const ComparedModel& model) {
  const auto count = [](std::size_t heads) { return withCommas(static_cast<long long>(heads)); };
  const std::size_t own = model.heads.size(), all = model.published ? 0 : headsOf(*model.whole).size();
  return withCommas(model.facts.window) + " tokens \u00b7 " +
         (model.published ? "published" : count(own) + (all > own ? " of " + count(all) : "") + " heads");
}

}  // namespace

std::string titleOf(MatrixRow row) {
  switch (row) {
    case MatrixRow::Grid:
      return "Head grid";
    case MatrixRow::Plane:
      return "{a, b} plane";
    case MatrixRow::Map:
      return "Plasticity map";
    case MatrixRow::Profile:
      return "Profile";
    case MatrixRow::Quintiles:
      return "Quintiles";
    case MatrixRow::Loss:
      return "Loss";
    case MatrixRow::Numbers:
      return "Numbers";
  }
  return {};
}

bool hasDifferences(MatrixRow row) {
  return row != MatrixRow::Plane;
}

MatrixEstimate unpairedDifference(const MatrixEstimate& baseline, const MatrixEstimate& other) {
  MatrixEstimate difference{other.value - baseline.value, {}};
  if (!baseline.interval.known() || !other.interval.known()) return difference;
  difference.interval.low = difference.value - std::hypot(other.value - other.interval.low,
                                                          baseline.interval.high - baseline.value);
  difference.interval.high = difference.value + std::hypot(other.interval.high - other.value,
                                                           baseline.value - baseline.interval.low);
  difference.over = IntervalOver::Examples;
  difference.verdict =
      difference.interval.low > 0 || difference.interval.high < 0 ? kDifferent : kNoDifferenceShown;
  return difference;
}

bool CompareMatrix::hasTextIntervals(MatrixRow row) const {
  const auto any = [](const auto& estimates) {
    return std::ranges::any_of(estimates, [](const MatrixEstimate& one) {
      return one.interval.known() && one.over == IntervalOver::ByTexts;
    });
  };
  if (row == MatrixRow::Numbers) return std::ranges::any_of(numbers, any, &MatrixNumber::difference);
  if (row == MatrixRow::Profile)
    return std::ranges::any_of(profileDifferences, any, &ProfileDifference::bins);
  return row == MatrixRow::Quintiles &&
         std::ranges::any_of(profileDifferences, any, &ProfileDifference::quintiles);
}

std::shared_ptr<const MapData> comparedMap(const ComparedModel& model, const std::optional<HeadName>& head,
                                           bool ofHead, ApKind plasticity) {
  if (model.published) {
    auto map = std::make_shared<MapData>(publishedMap(model.reference->id));
    return map->published.empty() ? nullptr : map;
  }
  if (ofHead && !head) return nullptr;
  HeadScope scope;
  if (ofHead) scope.head = head;
  try {
    return std::make_shared<const MapData>(makeMap(*model.analysis, scope, plasticity));
  } catch (const InputError&) {
    return nullptr;
  }
}

namespace {

bool hasAny(const CompareMatrix& matrix, MatrixRow row) {
  const auto isThere = [](const auto& each) { return each != nullptr; };
  switch (row) {
    case MatrixRow::Grid:
      return std::ranges::any_of(matrix.grids.grids, isThere);
    case MatrixRow::Plane:
      return std::ranges::any_of(
          matrix.planes, [](const auto& plane) { return plane != nullptr && plane->missing.empty(); });
    case MatrixRow::Map:
      return std::ranges::any_of(matrix.maps, isThere);
    case MatrixRow::Loss:
      return matrix.losses.baseline() != nullptr;
    default:
      return true;
  }
}

// Removes rows that no column can show, because published models have no heads and rows.
void dropEmptyRows(CompareMatrix& matrix) {
  const std::set<MatrixRow> asked = matrix.choice.rows;
  std::erase_if(matrix.choice.rows, [&matrix](MatrixRow row) { return !hasAny(matrix, row); });
  if (matrix.choice.rows.empty()) matrix.choice.rows = asked;
}

}  // namespace

CompareMatrix makeMatrix(const Comparison& comparison, const Studies& studies, const MatrixChoice& choice) {
  CompareMatrix matrix;
  matrix.choice = choice;
  matrix.matching = headMatchingOf(comparison);
  const ApKind plasticity = comparison.plasticity.kind;
  matrix.metric = describeMetric(choice.metric);
  const std::size_t count = comparison.models.size();
  const ComparedModel& baseline = comparison.models.front();
  const ComparedModel* leader = leaderOf(comparison);
  for (const ComparedModel& model : comparison.models) {
    matrix.columns.push_back(comparedName(model));
    matrix.notes.push_back(noteOf(model));
    matrix.heads.push_back(
        leader == nullptr
            ? std::nullopt
            : matchedHead(*leader, choice.head.value_or(leader->heads.front()), model, matrix.matching));
  }
  const bool detailed = count <= kMaxMatrixDetailed;
  if (!detailed) std::erase_if(matrix.choice.rows, [](MatrixRow row) { return !isOverview(row); });
  matrix.gridDifferences.resize(count);
  matrix.planes.resize(count);
  matrix.maps.resize(count);
  matrix.mapDifferences.resize(count);
  if (matrix.shows(MatrixRow::Grid)) {
    matrix.grids = compareGrids(comparison, choice.metric);
    matrix.gridReach = 0;
    for (std::size_t i = 1; i < count && matrix.grids.grids.front() != nullptr; ++i) {
      if (matrix.grids.grids[i] == nullptr) continue;
      matrix.gridDifferences[i] =
          gridDifference(baseline, *matrix.grids.grids.front(), comparison.models[i], *matrix.grids.grids[i]);
      matrix.gridReach = std::max(matrix.gridReach, matrix.gridDifferences[i]->high);
    }
    if (matrix.gridReach <= 0) matrix.gridReach = 0.5;
  }
  if (matrix.shows(MatrixRow::Plane)) {
    for (std::size_t i = 0; i < count; ++i)
      matrix.planes[i] = planeOf(comparison.models[i], studies[i], matrix.heads[i]);
    matrix.planeRange = commonRange(matrix.planes);
  }
  if (matrix.shows(MatrixRow::Map)) {
    matrix.mapReach = 0;
    for (std::size_t i = 0; i < count; ++i) {
      matrix.maps[i] = comparedMap(comparison.models[i], matrix.heads[i], choice.ofHead, plasticity);
      if (i == 0 || matrix.maps[i] == nullptr || matrix.maps.front() == nullptr) continue;
      matrix.mapDifferences[i] = mapDifferenceOf(*matrix.maps.front(), *matrix.maps[i]);
      matrix.mapReach = std::max(matrix.mapReach, reachOf(*matrix.mapDifferences[i]));
    }
    if (matrix.mapReach <= 0) matrix.mapReach = 0.5;
  }
  std::optional<HeadName> head;
  if (choice.ofHead && leader == &baseline) head = matrix.heads.front();
  matrix.profiles = compareProfiles(comparison, head);
  matrix.profileDifferences.resize(count);
  for (std::size_t i = 1; i < count; ++i)
    matrix.profileDifferences[i] = profileDifference(comparison, matrix.profiles, i, choice.tokens);
  matrix.losses = compareLosses(comparison);
  dropEmptyRows(matrix);
  for (const std::string& metric : shownMetrics(comparison, choice.metric))
    matrix.numbers.push_back(matrixNumber(comparison, metric));
  return matrix;
}

namespace {

// `add`: receives the columns of the table.
template <typename Add>
void addLosses(const CompareMatrix& matrix, std::size_t column, const Add& add) {
  const ComparedLoss &loss = matrix.losses.models[column], &baseline = matrix.losses.models.front();
  const ComparedLoss less = lossDifference(baseline, loss);
  const auto both = [&](const std::string& place, double value, double difference, const LossTexts& texts) {
    const TextTest& test = texts.test;
    add(MatrixRow::Loss, column, place, {value},
        column > 0 ? MatrixEstimate{difference, test.interval, IntervalOver::ByTexts, test.verdict}
                   : MatrixEstimate());
  };
  for (std::size_t i = 0; i < loss.nll.size(); ++i)
    both(std::to_string(loss.from[i]) + " " + std::to_string(loss.to[i]), loss.nll[i], less.nll[i],
         less.texts[i]);
  if (!loss.known()) return;
  both("all", loss.all, less.all, less.ofAll);
  both("repeated", loss.repeated, less.repeated, less.ofRepeated);
  both("first_occurrence", loss.first, less.first, less.ofFirst);
}

}  // namespace

Table tableOf(const CompareMatrix& matrix) {
  TableBuilder table("compare-matrix", {texts("row"), texts("model"), texts("place"), numbers("value"),
                                        numbers("low"), numbers("high"), numbers("difference"),
                                        numbers("difference_low"), numbers("difference_high"),
                                        texts("interval_over"), texts("difference_over"), texts("verdict")});
  const auto add = [&](MatrixRow row, std::size_t column, const std::string& place,
                       const MatrixEstimate& value, const MatrixEstimate& difference) {
    table.row({std::string(namesOf(row)[static_cast<std::size_t>(row)]), matrix.columns[column].name, place,
               value.value, value.interval.low, value.interval.high, difference.value,
               difference.interval.low, difference.interval.high, overName(value.interval, value.over),
               overName(difference.interval, difference.over), difference.verdict});
  };
  for (std::size_t m = 0; m < matrix.columns.size(); ++m) {
    if (matrix.shows(MatrixRow::Grid) && matrix.grids.grids[m] != nullptr) {
      const HeadGridData& grid = *matrix.grids.grids[m];
      const auto& difference = matrix.gridDifferences[m];
      for (std::int64_t layer = 0; layer < grid.layers; ++layer) {
        for (std::int64_t head = 0; head < grid.heads; ++head) {
          if (!grid.at(layer, head).captured) continue;
          const double less = difference ? difference->at(layer, head).value : kMissing;
          add(MatrixRow::Grid, m, HeadName{layer, head}.text(), {grid.at(layer, head).value, {}}, {less, {}});
        }
      }
    }
    if (matrix.shows(MatrixRow::Map) && matrix.maps[m] != nullptr) {
      const MapData& map = *matrix.maps[m];
      for (std::size_t i = 0; i < map.mean.size(); ++i) {
        if (map.count[i] == 0) continue;
        const auto cell = static_cast<std::int64_t>(i);
        add(MatrixRow::Map, m, std::to_string(cell % map.columns) + " " + std::to_string(cell / map.columns),
            {map.mean[i], {}}, {matrix.mapDifferences[m] ? matrix.mapDifferences[m]->mean[i] : kMissing, {}});
      }
    }
    const ComparedProfile& profile = matrix.profiles.models[m];
    const ProfileDifference& less = matrix.profileDifferences[m];
    for (std::size_t bin = 0; matrix.shows(MatrixRow::Profile) && bin < profile.tokens.size(); ++bin)
      add(MatrixRow::Profile, m, std::to_string(std::llround(profile.tokens[bin])), binOf(profile, bin),
          bin < less.bins.size() ? less.bins[bin] : MatrixEstimate());
    for (std::size_t k = 0; matrix.shows(MatrixRow::Quintiles) && k < 5; ++k)
      add(MatrixRow::Quintiles, m, std::to_string(k + 1),
          {profile.quintiles.at(k),
           {profile.quintileIntervals.low.at(k), profile.quintileIntervals.high.at(k)},
           matrix.profiles.quintilesOver},
          less.quintiles.at(k));
    if (matrix.shows(MatrixRow::Loss)) addLosses(matrix, m, add);
    for (const MatrixNumber& number : matrix.numbers) {
      if (matrix.shows(MatrixRow::Numbers))
        add(MatrixRow::Numbers, m, number.metric.column, number.value[m], number.difference[m]);
    }
  }
  return table.take();
}

}  // namespace plastiscope
