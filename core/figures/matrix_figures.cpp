#include "core/figures/matrix_figures.h"

#include <algorithm>
#include <cmath>

#include "core/figures/matrix_cells.h"

namespace plastiscope {

namespace {

constexpr std::size_t kNamesAcross = 108;  // characters that stand beside each other over all columns
constexpr double kWideGrid = 2;            // times more heads than layers: the grid lies down

bool liesDown(const HeadGridData& grid) {
  return static_cast<double>(grid.heads) > kWideGrid * static_cast<double>(grid.layers);
}

std::string signedText(double value, const MetricInfo& metric) {
  const std::string text = metricText(value, metric);
  return value > 0 ? "+" + text : text;
}

const HeadGridData* shownGrid(const CompareMatrix& matrix, std::size_t column) {
  return isLess(matrix, MatrixRow::Grid, column) ? matrix.gridDifferences[column].get()
                                                 : matrix.grids.grids[column].get();
}

MatrixCell gridCell(const CompareMatrix& matrix, std::size_t column) {
  const HeadGridData* grid = shownGrid(matrix, column);
  if (matrix.grids.grids[column] == nullptr) return {{}, {}, "No heads are published."};
  if (grid == nullptr) return {{}, {}, "The baseline has no heads."};
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

std::int64_t longestMap(const CompareMatrix& matrix) {
  std::int64_t longest = 1;
  for (const auto& map : matrix.maps) {
    if (map != nullptr) longest = std::max(longest, map->window);
  }
  return longest;
}

MatrixCell mapCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor) {
  const bool less = isLess(matrix, MatrixRow::Map, column);
  if (matrix.maps[column] == nullptr) return {{}, {}, "No map is known."};
  const MapData* map = less ? matrix.mapDifferences[column].get() : matrix.maps[column].get();
  if (map == nullptr) return {{}, {}, "The baseline has no map."};
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

// --- Numbers --------------------------------------------------------------------------------------------

bool isBrief(const CompareMatrix& matrix) {
  return matrix.columns.size() > 2;
}

// In a narrow cell: "+0.053", in brackets where its interval holds 0.
std::string briefDifference(const MatrixEstimate& difference, const MetricInfo& metric) {
  if (!std::isfinite(difference.value)) return "";
  const std::string text = signedText(difference.value, metric);
  return difference.differs().value_or(true) ? text : "(" + text + ")";
}

MatrixCell numbersCell(const CompareMatrix& matrix, std::size_t column) {
  const bool less = isLess(matrix, MatrixRow::Numbers, column), brief = isBrief(matrix);
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
    values.x.push_back(!less ? 0.5 : brief ? 0.26 : 0.17);
    values.y.push_back(static_cast<double>(i));
    values.texts.push_back(std::isfinite(value) ? metricText(value, number.metric) : "\u2013");
    if (!less) continue;
    differences.x.push_back(brief ? 0.76 : 0.66);
    differences.y.push_back(static_cast<double>(i));
    differences.texts.push_back(brief ? briefDifference(number.difference[column], number.metric)
                                      : differenceText(number.difference[column], number.metric));
  }
  box.marks.push_back({.kind = std::move(values), .clip = false});
  if (less) box.marks.push_back({.kind = std::move(differences), .clip = false});
  return cellOf(std::move(box));
}

// Axes of a row's cells: below them in a file, "long|short", and beside them in the window, rich.
struct RowAxes {
  const char *below, *beside;
};

RowAxes axesOf(MatrixRow row) {
  switch (row) {
    case MatrixRow::Plane:
      return {"<i>a</i>", "across <i>a</i>, up <i>b</i>"};
    case MatrixRow::Map:
      return {"distance between keys|key to key", "across: key to key<br>up: query to midpoint"};
    case MatrixRow::Profile:
    case MatrixRow::Loss:
      return {"query position|position", "across: query position"};
    case MatrixRow::Quintiles:
      return {"quintile of the window (%)|quintile (%)", "across: quintile, % of window"};
    case MatrixRow::Grid:
    case MatrixRow::Numbers:
      break;
  }
  return {"", ""};  // labels say it
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

bool isLess(const CompareMatrix& matrix, MatrixRow row, std::size_t column) {
  return matrix.differs(row) && column > 0;
}

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

MatrixCell cellOf(Box box) {
  Plot plot;
  plot.boxes.push_back(std::move(box));
  return cellOf(std::move(plot));
}

Mark frameMark(double x0, double x1, double y0, double y1) {
  const Stroke marked{Ink::Selection, 1.6, Weight::Line, {}, {}, true};
  return {
      .kind = SegmentMarks{{x0, x1, x1, x0}, {y0, y0, y1, y1}, {x1, x1, x0, x0}, {y0, y1, y1, y0}, {marked}},
      .layer = Layer::Above,
      .clip = false};
}

std::string valueText(double value, bool less) {
  return (less && value > 0 ? "+" : "") + fixedText(value, 3);
}

std::string differenceText(const MatrixEstimate& difference, const MetricInfo& metric) {
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
      return lossCell(matrix, column, cursor);
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
      return kLossUnit + less;
    case MatrixRow::Numbers:
      return "mean over heads" + less;
  }
  return {};
}

std::string matrixAxesText(const CompareMatrix& matrix, MatrixRow row) {
  const bool alongWindow = row == MatrixRow::Profile || row == MatrixRow::Quintiles || row == MatrixRow::Loss;
  const bool behind = alongWindow && !matrix.differs(row) && matrix.columns.size() > 1;
  return axesOf(row).beside + std::string(behind ? "<br>dashed: the baseline" : "");
}

Plot matrixPlot(const CompareMatrix& matrix) {
  Plot whole;
  whole.columns = static_cast<int>(matrix.columns.size());
  const std::vector<SeriesStyle> styles = seriesStyles(matrix.columns);
  const std::size_t longest = kNamesAcross / std::max<std::size_t>(matrix.columns.size(), 1);
  Texts names = shownNames(matrix.columns);
  if (std::ranges::any_of(names, [longest](const std::string& name) { return name.size() > longest; }))
    names = shortNames(names, longest);
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
      if (cell.missing.empty()) box.x.title = axesOf(row).below;
      if (column == 0)
        box.y.title = row == MatrixRow::Numbers
                          ? ""
                          : titleOf(row) + ": " + matrixRowText(matrix, row) + "|" + titleOf(row);
      // Labels stand once where all mean the same: the first column of a difference has values.
      const std::size_t labelled = matrix.differs(row) && choosesDifferences(row) ? 1 : 0;
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
  if (matrix.shows(MatrixRow::Numbers) && isBrief(matrix))
    whole.legend.push_back(
        textEntry("numbers: beside them their differences, in brackets where not distinguishable from 0"));
  return whole;
}

}  // namespace plastiscope
