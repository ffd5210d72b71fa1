#include "core/figures/matrix_cells.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/base/error.h"

namespace plastiscope {

bool isLess(const CompareMatrix& matrix, MatrixRow row, std::size_t column) {
  return matrix.differs(row) && column > 0;
}

std::string signedText(double value, const MetricInfo& metric) {
  const std::string text = metricText(value, metric);
  return value > 0 ? "+" + text : text;
}

namespace {

// Cell without its row's title and its column's name, which stand beside and above it.
MatrixCell cellOf(Plot plot) {
  plot.legend.clear();
  plot.oneLine = true;
  for (Box& box : plot.boxes) {
    box.x.title.clear();
    box.y.title.clear();
    box.scale.reset();
  }
  return {std::move(plot), {}, {}};
}

}  // namespace

MatrixCell cellOf(Box box) {
  Plot plot;
  plot.boxes.push_back(std::move(box));
  return cellOf(std::move(plot));
}

namespace {

// "0.662", as a difference "+0.053"
std::string valueText(double value, bool less) {
  return (less && value > 0 ? "+" : "") + fixedText(value, 3);
}

// Frame around the place marked in all columns.
Mark frameMark(double x0, double x1, double y0, double y1) {
  const Stroke marked{Ink::Selection, 1.6, Weight::Line, {}, {}, true};
  return {
      .kind = SegmentMarks{{x0, x1, x1, x0}, {y0, y0, y1, y1}, {x1, x1, x0, x0}, {y0, y1, y1, y0}, {marked}},
      .layer = Layer::Above,
      .clip = false};
}

// Cell without values: the reason why it has none, or nothing to subtract.
MatrixCell emptyCell(const CompareMatrix& matrix, MatrixRow row, std::size_t column, bool ownValues = false) {
  const std::string what = row == MatrixRow::Grid        ? matrix.metric.label
                           : row == MatrixRow::Map       ? "map"
                           : row == MatrixRow::Profile   ? "profile"
                           : row == MatrixRow::Quintiles ? "quintiles"
                                                         : "losses";
  if (!ownValues) {
    if (publishedIdOf(matrix.columns[column].digest)) {
      const std::string published = row == MatrixRow::Grid ? "heads" : what;
      return {{}, {}, "No " + published + (published.ends_with('s') ? " are" : " is") + " published."};
    }
    if (row == MatrixRow::Loss) return {{}, {}, "Captured without losses (--loss)."};
    const bool ofHead = matrix.choice.ofHead && row != MatrixRow::Grid;
    if (ofHead && !matrix.heads[column]) return {{}, {}, "The head was not captured."};
    if (!matrix.profiles.models[column].tokens.empty() && row != MatrixRow::Grid && row != MatrixRow::Map)
      return {{}, {}, "Too few rows: no bin has " + neededRows() + "."};
    return {{}, {}, "This analysis has no " + what + "."};
  }
  const std::string ofBaseline = plottedCell(matrix, row, 0).missing;
  return {
      {}, {}, ofBaseline.empty() ? "The baseline has other positions or bins." : "Baseline: " + ofBaseline};
}

constexpr double kWideGrid = 2;  // ratio of heads to layers above which the grid is transposed

bool liesDown(const HeadGridData& grid) {
  return static_cast<double>(grid.heads) > kWideGrid * static_cast<double>(grid.layers);
}

const HeadGridData* shownGrid(const CompareMatrix& matrix, std::size_t column) {
  return isLess(matrix, MatrixRow::Grid, column) ? matrix.gridDifferences[column].get()
                                                 : matrix.grids.grids[column].get();
}

std::int64_t longestMap(const CompareMatrix& matrix) {
  std::int64_t longest = 1;
  for (const auto& map : matrix.maps) {
    if (map != nullptr) longest = std::max(longest, map->window);
  }
  return longest;
}

MatrixCell gridCell(const CompareMatrix& matrix, std::size_t column) {
  const HeadGridData* grid = shownGrid(matrix, column);
  if (grid == nullptr)
    return emptyCell(matrix, MatrixRow::Grid, column, matrix.grids.grids[column] != nullptr);
  const bool less = isLess(matrix, MatrixRow::Grid, column);
  HeadGridOptions options;
  options.transposed = liesDown(*grid);
  options.range = less ? std::pair{-matrix.gridReach, matrix.gridReach} : matrix.grids.range;
  MatrixCell cell = cellOf(headGridPlot(*grid, options));
  const auto& head = matrix.heads[column];
  if (!head) cell.note = "head not captured";
  if (!head) return cell;
  const HeadGridPlaces places(*grid);
  const double across = places.ofHead(head->head), down = static_cast<double>(head->layer);
  Box& box = cell.plot.boxes.front();
  box.marks.push_back(options.transposed ? frameMark(down - 0.5, down + 0.5, across - 0.5, across + 0.5)
                                         : frameMark(across - 0.5, across + 0.5, down - 0.5, down + 0.5));
  const double value = grid->at(head->layer, head->head).value;
  cell.note =
      "<b>" + head->text() + "</b> " +
      (std::isfinite(value) ? less ? signedText(value, matrix.metric) : metricText(value, matrix.metric)
                            : "\u2013");
  return cell;
}

MatrixCell planeCell(const CompareMatrix& matrix, std::size_t column) {
  const auto& plane = matrix.planes[column];
  if (!plane->missing.empty()) return {{}, {}, plane->missing};
  MatrixCell cell = cellOf(planePlot(plane));
  Box& box = cell.plot.boxes.front();
  const PlaneRange& range = matrix.planeRange;
  std::tie(box.x.low, box.x.high) = std::pair{range.xLow, range.xHigh};
  std::tie(box.y.low, box.y.high) = std::pair{range.yLow, range.yHigh};
  cell.note = "<b>" + plane->head.text() + "</b> |<i>r</i>| Q " + fixedText(std::fabs(plane->query.rX), 2) +
              " \u00b7 K " + fixedText(std::fabs(plane->key.rX), 2);
  return cell;
}

MatrixCell mapCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor) {
  const bool less = isLess(matrix, MatrixRow::Map, column);
  const MapData* map = less ? matrix.mapDifferences[column].get() : matrix.maps[column].get();
  if (map == nullptr) return emptyCell(matrix, MatrixRow::Map, column, matrix.maps[column] != nullptr);
  if (const std::string why = less ? "" : whyNoMap(*map); !why.empty()) return {{}, {}, why};
  MapOptions options;
  options.difference = less;
  if (less) options.range = std::pair{-matrix.mapReach, matrix.mapReach};
  MatrixCell cell = cellOf(mapPlot(*map, options));
  Box& box = cell.plot.boxes.front();
  const auto window = static_cast<double>(std::max<std::int64_t>(1, map->window));
  for (Axis* axis : {&box.x, &box.y}) {
    axis->lastLabel.clear();
    if (matrix.choice.tokens) {
      axis->high = static_cast<double>(longestMap(matrix));
    } else {
      axis->ticks = Ticks::Percent;
      axis->unit = window;
    }
  }
  if (!cursor.cell) return cell;
  const ComparedCell marked = compareCell(matrix.maps, *cursor.cell)[column];
  if (!marked.cell) return cell;
  const auto size = static_cast<double>(map->cell);
  const double x = static_cast<double>(marked.cell->column) * size,
               y = static_cast<double>(marked.cell->row) * size;
  box.marks.push_back(frameMark(x, x + size, y, y + size));
  const double value = map->mean[map->index(marked.cell->column, marked.cell->row)];
  if (std::isfinite(value)) cell.note = "cell " + valueText(value, less);
  return cell;
}

// --- Values along the window: one range for all columns

constexpr double kAroundZero = 0.1;  // share of a range of differences, so that an edge zero has a label

struct Curve {
  Values x, value, low, high;  // [bins]; without intervals low and high are empty
};

Curve valuesOf(const ComparedProfile& profile, bool tokens) {
  Curve curve;
  for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin)
    curve.x.push_back(tokens ? profile.tokens[bin] : profile.share(bin));
  curve.value = profile.head ? profile.headAp : profile.mean;
  curve.low = profile.low;
  curve.high = profile.high;
  return curve;
}

Curve differencesOf(const ProfileDifference& difference) {
  Curve curve;
  curve.x = difference.place;
  for (const MatrixEstimate& bin : difference.bins) {
    curve.value.push_back(bin.value);
    curve.low.push_back(bin.interval.low);
    curve.high.push_back(bin.interval.high);
  }
  return curve;
}

// The baseline is the first column, whether it has losses or not.
ComparedLoss shownLoss(const CompareMatrix& matrix, std::size_t column, bool less) {
  const ComparedLoss& loss = matrix.losses.models[column];
  return less ? lossDifference(matrix.losses.models.front(), loss) : loss;
}

Curve lossesOf(const ComparedLoss& loss, bool tokens) {
  Curve curve{loss.share, loss.nll, {}, {}};
  for (const LossTexts& texts : loss.texts) {
    curve.low.push_back(texts.test.interval.low);
    curve.high.push_back(texts.test.interval.high);
  }
  for (std::size_t i = 0; tokens && i < curve.x.size(); ++i)
    curve.x[i] = static_cast<double>(loss.from[i] + loss.to[i]) / 2;
  return curve;
}

Curve curveOf(const CompareMatrix& matrix, MatrixRow row, std::size_t column, bool less) {
  if (row == MatrixRow::Loss) return lossesOf(shownLoss(matrix, column, less), matrix.choice.tokens);
  return less ? differencesOf(matrix.profileDifferences[column])
              : valuesOf(matrix.profiles.models[column], matrix.choice.tokens);
}

// Range of all values, or of all differences and 0.
std::pair<double, double> rangeOf(const CompareMatrix& matrix, MatrixRow row, bool less) {
  Extent extent;
  for (std::size_t m = less ? 1 : 0; m < matrix.columns.size(); ++m) {
    const Curve curve = curveOf(matrix, row, m, less);
    for (const Values* values : {&curve.value, &curve.low, &curve.high}) extent.add(*values);
  }
  if (less) extent.add(0);
  if (!extent.known()) return {0, 1};
  const auto [low, high] = extent;
  const double space = std::max((less ? kAroundZero : 0.06) * (high - low), high > low ? 0 : 0.05);
  return {low - space, high + space};
}

Stroke baselineStroke(const SeriesStyle& style) {
  return {style.colour.faded(0.8), 0.8, Weight::Line, {3.5, 2}};
}

// The curve of a capture over that of the baseline, or their difference.
Box curveBox(const CompareMatrix& matrix, MatrixRow row, std::size_t column) {
  const bool less = isLess(matrix, row, column);
  const std::vector<SeriesStyle> styles = seriesStyles(matrix.columns);
  Box box;
  box.x = matrix.choice.tokens
              ? positionAxis(PositionAxis::Tokens, static_cast<double>(matrix.profiles.longestWindow()), 1)
              : positionAxis(PositionAxis::Share, 1, 1);
  box.y.grid = true;
  std::tie(box.y.low, box.y.high) = rangeOf(matrix, row, less);
  if (less) box.marks.push_back(zeroRule());
  const Curve baseline = curveOf(matrix, row, 0, false), curve = curveOf(matrix, row, column, less);
  if (!less && column > 0 && !baseline.value.empty()) {
    LineMark behind{baseline.x, baseline.value, baselineStroke(styles.front())};
    behind.noTips = true;
    box.marks.push_back({std::move(behind)});
  }
  if (anyFinite(curve.low))
    box.marks.push_back(bandMark(curve.x, curve.low, curve.high, styles[column].colour));
  box.marks.push_back(seriesMark(curve.x, curve.value, styles[column], "", {8, 14}));
  return box;
}

// Value and interval at a place, interpolated linearly between two bins.
MatrixEstimate estimateAt(const Curve& curve, double place) {
  if (curve.x.empty()) return {};
  const auto after = std::ranges::lower_bound(curve.x, place);
  const auto high = std::min(static_cast<std::size_t>(after - curve.x.begin()), curve.x.size() - 1);
  const bool between = high > 0 && curve.x[high] >= place;
  const std::size_t low = between ? high - 1 : high;
  const double part = between ? (place - curve.x[low]) / (curve.x[high] - curve.x[low]) : 0;
  const auto at = [&](const Values& values) {
    return values.empty() ? kMissing : values[low] + part * (values[high] - values[low]);
  };
  return {at(curve.value), {at(curve.low), at(curve.high)}};
}

// Token, its value and half its interval: "<b>81,264</b> 0.515 ± 0.019"; "" beyond the window of a capture.
std::string cursorText(const CompareMatrix& matrix, std::size_t column, const Curve& curve, double place,
                       bool less) {
  const double window = static_cast<double>(matrix.profiles.models[column].window),
               token = matrix.choice.tokens ? place : place * window;
  const MatrixEstimate there = estimateAt(curve, place);
  if (token > window || !std::isfinite(there.value)) return {};
  const double half = (there.interval.high - there.interval.low) / 2;
  return "<b>" + withCommas(std::llround(token)) + "</b> " + valueText(there.value, less) +
         (there.interval.known() ? " \u00b1 " + fixedText(half, 3) : "");
}

void markPosition(MatrixCell& cell, const MatrixCursor& cursor) {
  if (!cursor.position) return;
  cell.plot.boxes.front().marks.push_back(
      {.kind = RuleMarks{true, {*cursor.position}, {Ink::Selection, 1.1}}, .layer = Layer::Above});
}

// ".686": short enough for five numbers in narrow bars.
std::string shortNumber(double value, int decimals) {
  const std::string text = fixedText(value, decimals);
  const std::size_t zero = text.find("0.");
  return std::fabs(value) < 1 && zero != std::string::npos ? text.substr(0, zero) + text.substr(zero + 1)
                                                           : text;
}

MatrixEstimate quintileOf(const CompareMatrix& matrix, std::size_t column, std::size_t k, bool less) {
  const ComparedProfile& profile = matrix.profiles.models[column];
  if (less) return matrix.profileDifferences[column].quintiles.at(k);
  return {profile.quintiles.at(k),
          {profile.quintileIntervals.low.at(k), profile.quintileIntervals.high.at(k)},
          matrix.profiles.quintilesOver};
}

std::pair<double, double> quintileRange(const CompareMatrix& matrix, bool less) {
  Extent extent;
  extent.add(0);
  for (std::size_t m = less ? 1 : 0; m < matrix.columns.size(); ++m) {
    for (std::size_t k = 0; k < 5; ++k) {
      const MatrixEstimate one = quintileOf(matrix, m, k, less);
      for (const double end : {one.value, one.interval.low, one.interval.high}) extent.add(end);
    }
  }
  if (!extent.known()) return {0, 1};
  const double space = (less ? kAroundZero : 0.08) * (extent.high - extent.low);
  return {less || extent.low < 0 ? extent.low - space : 0, extent.high > 0 || less ? extent.high + space : 0};
}

MatrixCell profileCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor) {
  const bool less = isLess(matrix, MatrixRow::Profile, column);
  const Curve curve = curveOf(matrix, MatrixRow::Profile, column, less);
  if (!anyFinite(curve.value))
    return emptyCell(matrix, MatrixRow::Profile, column,
                     anyFinite(curveOf(matrix, MatrixRow::Profile, column, false).value));
  MatrixCell cell = cellOf(curveBox(matrix, MatrixRow::Profile, column));
  markPosition(cell, cursor);
  if (cursor.position) cell.note = cursorText(matrix, column, curve, *cursor.position, less);
  return cell;
}

MatrixCell lossCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor) {
  const bool less = isLess(matrix, MatrixRow::Loss, column);
  const bool own = matrix.losses.models[column].known();
  const ComparedLoss loss = own ? shownLoss(matrix, column, less) : ComparedLoss();
  if (!anyFinite(loss.nll)) return emptyCell(matrix, MatrixRow::Loss, column, own);
  MatrixCell cell = cellOf(curveBox(matrix, MatrixRow::Loss, column));
  markPosition(cell, cursor);
  cell.note = "<b>" + lossText(loss.all, less) + "</b>";
  if (!loss.ofAll.test.verdict.empty()) cell.note += " " + loss.ofAll.test.verdict + " over texts";
  if (std::isfinite(loss.repeated)) cell.note += " \u00b7 seen before " + lossText(loss.repeated, less);
  return cell;
}

MatrixCell quintilesCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor) {
  const bool less = isLess(matrix, MatrixRow::Quintiles, column);
  const std::vector<SeriesStyle> styles = seriesStyles(matrix.columns);
  Box box;
  box.frame = Frame::Open;
  box.x = quintileAxis();
  for (std::string& name : box.x.names) name = name.substr(0, name.find("\u2009"));  // five in a narrow cell
  box.y.grid = true;
  std::tie(box.y.low, box.y.high) = quintileRange(matrix, less);
  const int decimals = differenceDecimals(std::max(std::fabs(box.y.low), std::fabs(box.y.high)));
  BarMarks bars;
  Values middles, levels;
  std::vector<Interval> ends;
  Mark mark;
  for (std::size_t k = 0; k < 5; ++k) {
    const MatrixEstimate one = quintileOf(matrix, column, k, less);
    const auto place = static_cast<double>(k);
    bars.left.push_back(place - 0.4);
    bars.right.push_back(place + 0.4);
    bars.bottom.push_back(0);
    bars.top.push_back(one.value);
    bars.reach.push_back(one.interval.known() ? one.value < 0 ? one.interval.low : one.interval.high
                                              : kMissing);
    bars.numbers.push_back(std::isfinite(one.value) ? shortNumber(one.value, decimals) : "");
    middles.push_back(place);
    levels.push_back(quintileOf(matrix, 0, k, false).value);
    ends.push_back(one.interval);
    mark.tips.push_back(std::to_string(20 * k) + " to " + std::to_string(20 * (k + 1)) +
                        " %: " + (less ? "differs by " : "AP ") + fixedText(one.value, decimals) +
                        (one.interval.known()
                             ? " (95 %: " + fixedText(one.interval.low, decimals) + " \u2026 " +
                                   fixedText(one.interval.high, decimals) + " over " + nameOf(one.over) + ")"
                             : ""));
  }
  if (!anyFinite(bars.top))
    return emptyCell(matrix, MatrixRow::Quintiles, column,
                     less && std::isfinite(quintileOf(matrix, column, 0, false).value));
  bars.fills = {styles[column].colour.faded(0.88)};
  bars.feet.assign(5, styles[column].marker);
  bars.place = BarMarks::Numbers::Inside;
  mark.kind = std::move(bars);
  box.marks.push_back(std::move(mark));
  if (anyKnown(ends)) box.marks.push_back(whiskerMark(middles, ends, {Ink::Text}));
  if (less) box.marks.push_back(zeroRule());
  if (!less && column > 0)
    box.marks.push_back({SegmentMarks{
        shifted(middles, -0.46), levels, shifted(middles, 0.46), levels, {baselineStroke(styles.front())}}});
  const ComparedProfile& profile = matrix.profiles.models[column];
  if (cursor.position) {
    const double share =
        matrix.choice.tokens ? *cursor.position / static_cast<double>(profile.window) : *cursor.position;
    const double place = std::floor(std::clamp(share, 0.0, 0.999) * 5);
    if (share <= 1) box.marks.push_back(frameMark(place - 0.48, place + 0.48, box.y.low, box.y.high));
  }
  return cellOf(std::move(box));
}

}  // namespace

MatrixCell plottedCell(const CompareMatrix& matrix, MatrixRow row, std::size_t column,
                       const MatrixCursor& cursor) {
  switch (row) {
    case MatrixRow::Grid:
      return gridCell(matrix, column);
    case MatrixRow::Plane:
      return planeCell(matrix, column);
    case MatrixRow::Map:
      return mapCell(matrix, column, cursor);
    case MatrixRow::Profile:
      return profileCell(matrix, column, cursor);
    case MatrixRow::Quintiles:
      return quintilesCell(matrix, column, cursor);
    case MatrixRow::Loss:
      return lossCell(matrix, column, cursor);
    case MatrixRow::Numbers:
      break;
  }
  return {};
}

std::optional<HeadName> headAt(const HeadGridData& grid, double x, double y) {
  const HeadGridPlaces places(grid);
  const bool down = liesDown(grid);
  const auto head = places.headAt(down ? y : x), layer = places.layerAt(down ? x : y);
  return head && layer ? std::optional(HeadName{*layer, *head}) : std::nullopt;
}

}  // namespace plastiscope
