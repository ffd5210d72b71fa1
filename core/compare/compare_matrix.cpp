#include "core/compare/compare_matrix.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/compare/measures.h"
#include "core/compare/published_figures.h"

namespace plastiscope {

namespace {

using Studies = std::vector<std::shared_ptr<const Study>>;

bool pairsHeads(const ComparedModel& baseline, const ComparedModel& other) {
  const StudyFacts &a = baseline.facts, &b = other.facts;
  return !baseline.published && !other.published && a.architecture == b.architecture &&
         a.layers == b.layers && a.queryHeads == b.queryHeads;
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
  return {profile.head ? profile.headAp[bin] : profile.mean[bin], profile.interval(bin),
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
    number.value.push_back({column.middle[m], column.intervals[m], column.over});
    if (m == 0)
      number.difference.emplace_back();
    else if (baseline.published || model.published)
      number.difference.push_back({column.middle[m] - column.middle[0]});
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
  constexpr std::array kTitles = {"Head grid", "{a, b} plane", "Plasticity map", "Profile",
                                  "Quintiles", "Loss",         "Numbers"};
  return kTitles.at(static_cast<std::size_t>(row));
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

// Only overview rows can show many columns.
void dropDetailedRows(const Comparison& comparison, MatrixChoice& choice) {
  if (comparison.models.size() > kMaxMatrixDetailed)
    std::erase_if(choice.rows, [](MatrixRow row) { return !isOverview(row); });
}

void addGridDifferences(CompareMatrix& matrix, const Comparison& comparison) {
  const auto& grids = matrix.grids.grids;
  matrix.gridReach = 0;
  for (std::size_t i = 1; i < grids.size(); ++i) {
    if (grids.front() == nullptr || grids[i] == nullptr) continue;
    auto& difference = matrix.gridDifferences[i] =
        differenceGrid(comparison.models.front(), *grids.front(), comparison.models[i], *grids[i]);
    matrix.gridReach = std::max(matrix.gridReach, difference->high);
  }
  if (matrix.gridReach <= 0) matrix.gridReach = 0.5;
}

void addMapDifferences(CompareMatrix& matrix) {
  const ComparedMaps& maps = matrix.maps;
  matrix.mapReach = 0;
  for (std::size_t i = 1; i < maps.size(); ++i) {
    if (maps.front() == nullptr || maps[i] == nullptr) continue;
    matrix.mapDifferences[i] = differenceByShare(*maps.front(), *maps[i]);
    matrix.mapReach = std::max(matrix.mapReach, largestIn(*matrix.mapDifferences[i]));
  }
  if (matrix.mapReach <= 0) matrix.mapReach = 0.5;
}

}  // namespace

ComparedData compareData(const Comparison& comparison, const MatrixChoice& choice, bool published) {
  ComparedData data;
  data.matching = headMatchingOf(comparison);
  const ComparedModel* leader = leaderOf(comparison);
  std::optional<HeadName> ofLeader;
  for (const ComparedModel& model : comparison.models) {
    data.heads.push_back(leader == nullptr ? std::nullopt
                                           : matchedHead(*leader, choice.head.value_or(leader->heads.front()),
                                                         model, data.matching));
    if (&model == leader) ofLeader = data.heads.back();
    data.maps.push_back(choice.rows.contains(MatrixRow::Map)
                            ? comparedMap(model, data.heads.back(), choice.ofHead, comparison.plasticity.kind)
                            : nullptr);
  }
  if (choice.rows.contains(MatrixRow::Grid)) data.grids = compareGrids(comparison, choice.metric);
  data.profiles = compareProfiles(comparison, choice.ofHead ? ofLeader : std::nullopt, published);
  data.losses = compareLosses(comparison);
  return data;
}

CompareMatrix makeMatrix(const Comparison& comparison, const Studies& studies, MatrixChoice choice) {
  dropDetailedRows(comparison, choice);
  return makeMatrix(comparison, studies, choice, compareData(comparison, choice));
}

CompareMatrix makeMatrix(const Comparison& comparison, const Studies& studies, MatrixChoice choice,
                         ComparedData data) {
  dropDetailedRows(comparison, choice);
  CompareMatrix matrix;
  static_cast<ComparedData&>(matrix) = std::move(data);
  matrix.choice = std::move(choice);
  matrix.metric = describeMetric(matrix.choice.metric);
  const std::size_t count = comparison.models.size();
  for (const ComparedModel& model : comparison.models) {
    matrix.columns.push_back(comparedName(model));
    matrix.notes.push_back(noteOf(model));
  }
  matrix.gridDifferences.resize(count);
  matrix.planes.resize(count);
  matrix.mapDifferences.resize(count);
  matrix.profileDifferences.resize(count);
  if (matrix.shows(MatrixRow::Grid)) addGridDifferences(matrix, comparison);
  if (matrix.shows(MatrixRow::Plane)) {
    for (std::size_t i = 0; i < count; ++i)
      matrix.planes[i] = planeOf(comparison.models[i], studies[i], matrix.heads[i]);
    matrix.planeRange = commonRange(matrix.planes);
  }
  if (matrix.shows(MatrixRow::Map)) addMapDifferences(matrix);
  // A published baseline has no head from which the others could differ.
  if (comparison.models.front().published && matrix.choice.ofHead)
    matrix.profiles = compareProfiles(comparison);
  for (ComparedProfile& profile : matrix.profiles.models) profile.published = profile.publishedQuintiles = {};
  for (std::size_t i = 1; i < count; ++i)
    matrix.profileDifferences[i] = profileDifference(comparison, matrix.profiles, i, matrix.choice.tokens);
  dropEmptyRows(matrix);
  for (const std::string& metric : shownMetrics(comparison, matrix.choice.metric))
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
    table.row({nameOf(row), matrix.columns[column].name, place, value.value, value.interval.low,
               value.interval.high, difference.value, difference.interval.low, difference.interval.high,
               overName(value.interval, value.over), overName(difference.interval, difference.over),
               difference.verdict});
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
