#include "core/figures/matrix_figures.h"

#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

constexpr double kWideGrid = 2;  // times more heads than layers: the grid lies down
const Stroke kMarked{Ink::Selection, 1.6, Weight::Line, {}, {}, true};

bool liesDown(const HeadGridData& grid) {
  return static_cast<double>(grid.heads) > kWideGrid * static_cast<double>(grid.layers);
}

// A frame around what is marked in all columns.
Mark frameMark(double x0, double x1, double y0, double y1) {
  return {
      .kind = SegmentMarks{{x0, x1, x1, x0}, {y0, y0, y1, y1}, {x1, x1, x0, x0}, {y0, y1, y1, y0}, {kMarked}},
      .layer = Layer::Above,
      .clip = false};
}

Mark cursorMark(double at) {
  return {.kind = RuleMarks{true, {at}, {Ink::Selection, 1.1}}, .layer = Layer::Above};
}

// A cell has its row's title beside it and its column's name above.
void makeCell(Plot& plot) {
  plot.legend.clear();
  plot.oneLine = true;
  for (Box& box : plot.boxes) {
    box.x.title.clear();
    box.y.title.clear();
    box.scale.reset();
  }
}

std::string signedText(double value, const MetricInfo& metric) {
  const std::string text = metricText(value, metric);
  return value > 0 ? "+" + text : text;
}

const HeadGridData* shownGrid(const CompareMatrix& matrix, std::size_t column) {
  const bool less = matrix.differs(MatrixRow::Grid) && column > 0;
  return less ? matrix.gridDifferences[column].get() : matrix.grids.grids[column].get();
}

MatrixCell gridCell(const CompareMatrix& matrix, std::size_t column) {
  const HeadGridData* grid = shownGrid(matrix, column);
  if (matrix.grids.grids[column] == nullptr) return {{}, {}, "No heads are published."};
  if (grid == nullptr) return {{}, {}, "The baseline has no heads."};
  const bool less = matrix.differs(MatrixRow::Grid) && column > 0;
  HeadGridOptions options;
  options.transposed = liesDown(*grid);
  options.range = less ? std::pair{-matrix.gridReach, matrix.gridReach} : matrix.grids.range;
  MatrixCell cell{headGridPlot(*grid, options), {}, {}};
  makeCell(cell.plot);
  const auto& head = matrix.heads[column];
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
  MatrixCell cell{planePlot(plane), {}, {}};
  makeCell(cell.plot);
  Box& box = cell.plot.boxes.front();
  const PlaneRange& range = matrix.planeRange;
  std::tie(box.x.low, box.x.high) = std::pair{range.xLow, range.xHigh};
  std::tie(box.y.low, box.y.high) = std::pair{range.yLow, range.yHigh};
  cell.note = "<b>" + plane->head.text() + "</b> |<i>r</i>| Q " + fixedText(std::fabs(plane->query.rX), 2) +
              " \u00b7 K " + fixedText(std::fabs(plane->key.rX), 2);
  return cell;
}

std::int64_t longestMap(const CompareMatrix& matrix) {
  std::int64_t longest = 1;
  for (const auto& map : matrix.maps) {
    if (map != nullptr) longest = std::max(longest, map->window);
  }
  return longest;
}

MatrixCell mapCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor) {
  const bool less = matrix.differs(MatrixRow::Map) && column > 0;
  if (matrix.maps[column] == nullptr) return {{}, {}, "No map is known."};
  const MapData* map = less ? matrix.mapDifferences[column].get() : matrix.maps[column].get();
  if (map == nullptr) return {{}, {}, "The baseline has no map."};
  MapOptions options;
  options.difference = less;
  if (less) options.range = std::pair{-matrix.mapReach, matrix.mapReach};
  MatrixCell cell{mapPlot(*map, options), {}, {}};
  makeCell(cell.plot);
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
  if (std::isfinite(value))
    cell.note = "cell " + std::string(less && value > 0 ? "+" : "") + fixedText(value, 3);
  return cell;
}

// --- Profiles -------------------------------------------------------------------------------------------

struct Curve {
  Values x, value, low, high;
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
  for (const Estimate& bin : difference.bins) {
    curve.value.push_back(bin.value);
    curve.low.push_back(bin.interval.low);
    curve.high.push_back(bin.interval.high);
  }
  return curve;
}

bool isLess(const CompareMatrix& matrix, MatrixRow row, std::size_t column) {
  return matrix.differs(row) && column > 0;
}

Curve curveOf(const CompareMatrix& matrix, std::size_t column) {
  return isLess(matrix, MatrixRow::Profile, column)
             ? differencesOf(matrix.profileDifferences[column])
             : valuesOf(matrix.profiles.models[column], matrix.choice.tokens);
}

// Locked over the columns: of all values, or of all differences around 0.
std::pair<double, double> reachOf(Extent extent, bool aroundZero) {
  if (aroundZero) extent.add(0);
  if (!extent.known()) return {0, 1};
  const auto [low, high] = extent;
  const double space = std::max(0.06 * (high - low), high > low ? 0 : 0.05);
  return {low - space, high + space};
}

std::pair<double, double> profileRange(const CompareMatrix& matrix, bool less) {
  Extent extent;
  for (std::size_t m = less ? 1 : 0; m < matrix.columns.size(); ++m) {
    const Curve curve = less ? differencesOf(matrix.profileDifferences[m])
                             : valuesOf(matrix.profiles.models[m], matrix.choice.tokens);
    for (const Values* values : {&curve.value, &curve.low, &curve.high}) extent.add(*values);
  }
  return reachOf(extent, less);
}

// The value at a place, on the straight line between two bins.
double valueAt(const Curve& curve, double place) {
  const auto after = std::ranges::lower_bound(curve.x, place);
  if (curve.x.empty()) return kMissing;
  const auto high = std::min(static_cast<std::size_t>(after - curve.x.begin()), curve.x.size() - 1);
  if (high == 0 || curve.x[high] < place) return curve.value[high];
  const double part = (place - curve.x[high - 1]) / (curve.x[high] - curve.x[high - 1]);
  return curve.value[high - 1] + part * (curve.value[high] - curve.value[high - 1]);
}

Stroke baselineStroke(const SeriesStyle& style) {
  return {style.colour.faded(0.8), 0.8, Weight::Line, {3.5, 2}};
}

MatrixCell profileCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor) {
  const Curve curve = curveOf(matrix, column);
  if (!anyFinite(curve.value)) return {{}, {}, "No profile is known."};
  const bool less = isLess(matrix, MatrixRow::Profile, column);
  const std::vector<SeriesStyle> styles = seriesStyles(matrix.columns);
  Box box;
  box.x = matrix.choice.tokens
              ? positionAxis(PositionAxis::Tokens, static_cast<double>(matrix.profiles.longestWindow()), 1)
              : positionAxis(PositionAxis::Share, 1, 1);
  box.y.grid = true;
  std::tie(box.y.low, box.y.high) = profileRange(matrix, less);
  if (less) box.marks.push_back(zeroRule());
  if (!less && column > 0) {
    const Curve baseline = valuesOf(matrix.profiles.models.front(), matrix.choice.tokens);
    LineMark behind{baseline.x, baseline.value, baselineStroke(styles.front())};
    behind.noTips = true;
    box.marks.push_back({std::move(behind)});
  }
  if (anyFinite(curve.low))
    box.marks.push_back(bandMark(curve.x, curve.low, curve.high, styles[column].colour));
  box.marks.push_back(seriesMark(curve.x, curve.value, styles[column], "", {8, 14}));
  MatrixCell cell;
  if (cursor.position) {
    box.marks.push_back(cursorMark(*cursor.position));
    const double value = valueAt(curve, *cursor.position);
    if (std::isfinite(value)) cell.note = (less && value > 0 ? "+" : "") + fixedText(value, 3);
  }
  cell.plot.boxes.push_back(std::move(box));
  makeCell(cell.plot);
  return cell;
}

// --- Quintiles ------------------------------------------------------------------------------------------

Estimate quintileOf(const CompareMatrix& matrix, std::size_t column, std::size_t k, bool less) {
  const ComparedProfile& profile = matrix.profiles.models[column];
  if (less) return matrix.profileDifferences[column].quintiles.at(k);
  return {profile.quintiles.at(k),
          {profile.quintileIntervals.low.at(k), profile.quintileIntervals.high.at(k)}};
}

std::pair<double, double> quintileRange(const CompareMatrix& matrix, bool less) {
  Extent extent;
  extent.add(0);
  for (std::size_t m = less ? 1 : 0; m < matrix.columns.size(); ++m) {
    for (std::size_t k = 0; k < 5; ++k) {
      const Estimate one = quintileOf(matrix, m, k, less);
      for (const double end : {one.value, one.interval.low, one.interval.high}) extent.add(end);
    }
  }
  if (!extent.known()) return {0, 1};
  const double space = 0.08 * (extent.high - extent.low);
  return {extent.low < 0 ? extent.low - space : 0, extent.high > 0 ? extent.high + space : 0};
}

MatrixCell quintilesCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor) {
  const bool less = isLess(matrix, MatrixRow::Quintiles, column);
  const std::vector<SeriesStyle> styles = seriesStyles(matrix.columns);
  Box box;
  box.frame = Frame::Open;
  box.x = quintileAxis();
  box.y.grid = true;
  std::tie(box.y.low, box.y.high) = quintileRange(matrix, less);
  BarMarks bars;
  Values middles, levels;
  std::vector<Interval> ends;
  Mark mark;
  for (std::size_t k = 0; k < 5; ++k) {
    const Estimate one = quintileOf(matrix, column, k, less);
    const auto place = static_cast<double>(k);
    bars.left.push_back(place - 0.4);
    bars.right.push_back(place + 0.4);
    bars.bottom.push_back(0);
    bars.top.push_back(one.value);
    bars.numbers.push_back(std::isfinite(one.value) ? fixedText(one.value, 3) : "");
    middles.push_back(place);
    levels.push_back(quintileOf(matrix, 0, k, false).value);
    ends.push_back(one.interval);
    mark.tips.push_back(std::to_string(20 * k) + " to " + std::to_string(20 * (k + 1)) +
                        " %: " + (less ? "differs by " : "AP ") + fixedText(one.value, 3) +
                        (one.interval.known() ? " (95 %: " + fixedText(one.interval.low, 3) + " \u2026 " +
                                                    fixedText(one.interval.high, 3) + ")"
                                              : ""));
  }
  if (!anyFinite(bars.top)) return {{}, {}, "No quintiles are known."};
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
  MatrixCell cell;
  cell.plot.oneLine = true;
  cell.plot.boxes.push_back(std::move(box));
  return cell;
}

// --- Losses ---------------------------------------------------------------------------------------------

// The baseline is the first column, with losses or without.
ComparedLoss shownLoss(const CompareMatrix& matrix, std::size_t column, bool less) {
  const ComparedLoss& loss = matrix.losses.models[column];
  return less ? lossDifference(matrix.losses.models.front(), loss) : loss;
}

MatrixCell lossCell(const CompareMatrix& matrix, std::size_t column) {
  const bool less = isLess(matrix, MatrixRow::Loss, column);
  if (!matrix.losses.models[column].known()) return {{}, {}, "Captured without losses."};
  const ComparedLoss loss = shownLoss(matrix, column, less);
  if (!anyFinite(loss.nll)) return {{}, {}, "The baseline has no losses of these positions."};
  const std::vector<SeriesStyle> styles = seriesStyles(matrix.columns);
  const auto alongAxis = [&matrix](const ComparedLoss& of) {
    Values places = of.share;
    for (std::size_t i = 0; matrix.choice.tokens && i < places.size(); ++i)
      places[i] = static_cast<double>(of.from[i] + of.to[i]) / 2;
    return places;
  };
  Extent extent;
  for (std::size_t m = less ? 1 : 0; m < matrix.columns.size(); ++m)
    extent.add(shownLoss(matrix, m, less).nll);
  Box box;
  box.x = matrix.choice.tokens
              ? positionAxis(PositionAxis::Tokens, static_cast<double>(matrix.profiles.longestWindow()), 1)
              : positionAxis(PositionAxis::Share, 1, 1);
  box.y.grid = true;
  std::tie(box.y.low, box.y.high) = reachOf(extent, less);
  if (less) box.marks.push_back(zeroRule());
  if (!less && column > 0 && matrix.losses.models.front().known()) {
    const ComparedLoss& baseline = matrix.losses.models.front();
    LineMark behind{alongAxis(baseline), baseline.nll, baselineStroke(styles.front())};
    behind.noTips = true;
    box.marks.push_back({std::move(behind)});
  }
  box.marks.push_back(seriesMark(alongAxis(loss), loss.nll, styles[column], "", {8, 14}));
  MatrixCell cell;
  cell.note = "<b>" + lossText(loss.all, less) + "</b>";
  if (std::isfinite(loss.repeated)) cell.note += " \u00b7 seen before " + lossText(loss.repeated, less);
  cell.plot.boxes.push_back(std::move(box));
  makeCell(cell.plot);
  return cell;
}

// --- Numbers --------------------------------------------------------------------------------------------

MatrixCell numbersCell(const CompareMatrix& matrix, std::size_t column) {
  const bool less = isLess(matrix, MatrixRow::Numbers, column);
  Box box;
  box.frame = Frame::None;
  box.x.labels = box.x.tickMarks = box.y.tickMarks = false;
  box.y.ticks = Ticks::AllNames;
  box.y.reversed = true;
  box.y.low = -0.6;
  box.y.high = static_cast<double>(matrix.numbers.size()) - 0.4;
  TextMarks values, differences;
  differences.colour = Ink::Muted;
  values.colour = Ink::Text;
  for (std::size_t i = 0; i < matrix.numbers.size(); ++i) {
    const MatrixNumber& number = matrix.numbers[i];
    box.y.names.push_back(number.metric.title);  // names of an axis are plain
    const double value = number.value[column].value;
    values.x.push_back(less ? 0.17 : 0.5);
    values.y.push_back(static_cast<double>(i));
    values.texts.push_back(std::isfinite(value) ? metricText(value, number.metric) : "\u2013");
    if (!less) continue;
    differences.x.push_back(0.66);
    differences.y.push_back(static_cast<double>(i));
    differences.texts.push_back(differenceText(number.difference[column], number.metric));
  }
  box.marks.push_back({.kind = std::move(values), .clip = false});
  if (less) box.marks.push_back({.kind = std::move(differences), .clip = false});
  MatrixCell cell;
  cell.plot.oneLine = true;
  cell.plot.boxes.push_back(std::move(box));
  return cell;
}

// Of a box without data, at its middle.
TextMarks inTwoLines(const std::string& sentence) {
  const std::size_t space = sentence.find(' ', sentence.size() / 3);
  if (space == std::string::npos) return {{0.5}, {0.5}, {richEscaped(sentence)}};
  return {{0.5, 0.5},
          {0.56, 0.44},
          {richEscaped(sentence.substr(0, space)), richEscaped(sentence.substr(space + 1))}};
}

}  // namespace

std::string differenceText(const Estimate& difference, const MetricInfo& metric) {
  if (!std::isfinite(difference.value)) return "";
  const std::string text = signedText(difference.value, metric);
  if (!difference.interval.known()) return text;
  if (!*difference.differs()) return text + ", not distinguishable";
  return text + " [" + metricText(difference.interval.low, metric) + ", " +
         metricText(difference.interval.high, metric) + "]";
}

std::optional<HeadName> headAt(const HeadGridData& grid, double x, double y) {
  const HeadGridPlaces places(grid);
  const bool down = liesDown(grid);
  const auto head = places.headAt(down ? y : x), layer = places.layerAt(down ? x : y);
  return head && layer ? std::optional(HeadName{*layer, *head}) : std::nullopt;
}

MatrixCell matrixCell(const CompareMatrix& matrix, MatrixRow row, std::size_t column,
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
      return lossCell(matrix, column);
    case MatrixRow::Numbers:
      return numbersCell(matrix, column);
  }
  return {};
}

std::optional<ColourScale> matrixScale(const CompareMatrix& matrix, MatrixRow row) {
  const bool less = matrix.differs(row);
  if (row == MatrixRow::Grid && matrix.shows(row)) {
    const auto [low, high] = less ? std::pair{-matrix.gridReach, matrix.gridReach} : matrix.grids.range;
    const bool diverges = less || matrix.metric.isSigned;
    return ColourScale{diverges ? "blue_white_red" : "metrics", low, high,
                       less ? "difference" : matrix.metric.label};
  }
  if (row == MatrixRow::Map && matrix.shows(row))
    return less ? ColourScale{"blue_white_red", -matrix.mapReach, matrix.mapReach, "difference of PP"}
                : ColourScale{"maps", 0, 1, "mean PP"};
  return std::nullopt;
}

std::string matrixRowText(const CompareMatrix& matrix, MatrixRow row) {
  const std::string less = matrix.differs(row) ? ", less the baseline" : "";
  const std::string of = matrix.profiles.showsHeads() ? ", matched head" : ", mean over heads";
  switch (row) {
    case MatrixRow::Grid:
      return matrix.metric.label + less;
    case MatrixRow::Plane:
      return "matched head";
    case MatrixRow::Map:
      return "mean PP" + less;
    case MatrixRow::Profile:
    case MatrixRow::Quintiles:
      return "AP" + of + less;
    case MatrixRow::Loss:
      return "nat a token" + less;
    case MatrixRow::Numbers:
      return "mean over heads" + less;
  }
  return {};
}

Plot matrixPlot(const CompareMatrix& matrix) {
  Plot whole;
  whole.columns = static_cast<int>(matrix.columns.size());
  whole.unlike = true;  // columns are equally wide, whatever stands beside their boxes
  const std::vector<SeriesStyle> styles = seriesStyles(matrix.columns);
  const Texts names = shownNames(matrix.columns);
  bool first = true;
  for (const MatrixRow row : kMatrixRows) {
    if (!matrix.shows(row)) continue;
    const auto scale = matrixScale(matrix, row);
    for (std::size_t column = 0; column < matrix.columns.size(); ++column) {
      MatrixCell cell = matrixCell(matrix, row, column);
      Plot& plot = cell.plot;
      if (plot.boxes.empty()) {
        Box box;
        box.frame = Frame::None;
        for (Axis* axis : {&box.x, &box.y}) axis->labels = axis->tickMarks = false;
        box.marks.push_back({.kind = inTwoLines(cell.missing), .clip = false});
        plot.boxes.push_back(std::move(box));
      }
      Box& box = plot.boxes.front();
      plot.oneLine = false;
      if (column == 0)
        box.y.title = row == MatrixRow::Numbers
                          ? ""
                          : titleOf(row) + ": " + matrixRowText(matrix, row) + "|" + titleOf(row);
      // Labels stand once where all mean the same: the first column of a difference has values.
      const std::size_t labelled = matrix.differs(row) && row != MatrixRow::Numbers ? 1 : 0;
      if (column > labelled && row != MatrixRow::Grid && row != MatrixRow::Map) box.y.labels = false;
      if (column + 1 == matrix.columns.size() && scale) box.scale = scale;
      if (first) {
        plot.legend.push_back(seriesEntry(richEscaped(names[column]), styles[column]));
        if (column == 0) plot.legend.back().detail = " (baseline)";
      } else if (!cell.note.empty()) {
        plot.legend.push_back(textEntry(cell.note));
      }
      whole.panels.push_back(std::move(plot));
    }
    first = false;
  }
  return whole;
}

}  // namespace plastiscope
