#include "core/figures/matrix_figures.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/compare/measures.h"

namespace plastiscope {

namespace {

// Space of the columns in a file.
struct ColumnRoom {
  double points = 100;                            // width of a column
  bool isBrief() const { return points < 120; }   // differences without intervals
  bool isStacked() const { return points < 72; }  // differences below numbers
  bool isTight() const { return points < 46; }    // axes labelled once
  std::size_t characters() const { return std::max<std::size_t>(6, static_cast<std::size_t>(points / 3.8)); }
};

// Space in a figure of that many points. UsageError where it is too little for a number.
ColumnRoom roomOf(const CompareMatrix& matrix, double width) {
  constexpr double kOfColumns = 0.8;  // the rest is for labels beside them
  constexpr double kLeast = 18, kInch = 72;
  const auto columns = static_cast<double>(std::max<std::size_t>(1, matrix.columns.size()));
  if (const double least = columns * kLeast / kOfColumns; width < least)
    throw UsageError("a matrix of " + std::to_string(matrix.columns.size()) + " inputs needs a width of " +
                     fixedText(least / kInch, 1) + " in, found " + fixedText(width / kInch, 1) +
                     ": set --size, or leave some out");
  return {kOfColumns * width / columns};
}

// Breaks a name after "-", "_", "." and spaces into lines of that length; slightly longer ones shrink.
Texts brokenName(const std::string& name, std::size_t line) {
  const std::size_t most = line + line / 2 + 1;
  Texts lines(1);
  std::string piece;
  const auto put = [&] {
    if (!lines.back().empty() && characters(lines.back() + piece) > line) lines.emplace_back();
    lines.back() += piece;
    piece.clear();
  };
  for (const char c : name) {
    const bool goesOn = (static_cast<unsigned char>(c) & 0xC0U) == 0x80;  // continuation byte of a character
    if (!goesOn && characters(piece) >= most) put();
    piece += c;
    if (std::string_view("-_. ").find(c) != std::string_view::npos) put();
  }
  put();
  return lines;
}

// For a narrow cell: "+0.053", in brackets where its interval holds 0.
std::string briefDifference(const MatrixEstimate& difference, const MetricInfo& metric) {
  if (!std::isfinite(difference.value)) return "";
  const std::string text = signedText(difference.value, metric);
  const std::string& verdict = difference.verdict;
  return verdict.empty() || verdict == kDifferent ? text : "(" + text + ")";
}

// Title of a number, in the two lines of the number and its difference.
Texts titleLines(const std::string& title, bool stacked) {
  if (!stacked) return {title};
  const std::size_t space = title.find(' ', title.size() / 3);
  return space == std::string::npos ? Texts{title, ""}
                                    : Texts{title.substr(0, space), title.substr(space + 1)};
}

MatrixCell numbersCell(const CompareMatrix& matrix, std::size_t column, const ColumnRoom& room) {
  const bool less = isLess(matrix, MatrixRow::Numbers, column), brief = room.isBrief(),
             stacked = room.isStacked(), published = publishedIdOf(matrix.columns[column].digest).has_value();
  const double lines = stacked ? 2 : 1;
  Box box;
  box.height = stacked ? 2.6 : 1;
  box.frame = Frame::None;
  box.x.labels = box.x.tickMarks = box.y.tickMarks = false;
  box.y.ticks = Ticks::AllNames;
  box.y.reversed = true;
  box.y.low = -0.6;
  box.y.high = lines * static_cast<double>(matrix.numbers.size()) - 0.4;
  TextMarks values, differences;
  differences.colour = Ink::Muted;
  values.colour = Ink::Text;
  for (std::size_t i = 0; i < matrix.numbers.size(); ++i) {
    const MatrixNumber& number = matrix.numbers[i];
    const double at = lines * static_cast<double>(i);
    for (const std::string& line : titleLines(number.metric.title, stacked)) {
      box.y.places.push_back(at + 0.85 * static_cast<double>(box.y.names.size() % 2) * (lines - 1));
      box.y.names.push_back(line);  // names of an axis are plain
    }
    const double value = number.value[column].value;
    values.x.push_back(!less || stacked ? 0.5 : brief ? 0.26 : 0.17);
    values.y.push_back(at);
    values.texts.push_back(comparedText(value, number.metric, published));
    if (!less) continue;
    differences.x.push_back(stacked ? 0.5 : brief ? 0.76 : 0.66);
    differences.y.push_back(at + 0.85 * (lines - 1));
    const MatrixEstimate& change = number.difference[column];
    const std::string text = (change.value > 0 ? "+" : "") + comparedText(change.value, number.metric, true);
    differences.texts.push_back(published && change.isKnown() ? text
                                : brief                       ? briefDifference(change, number.metric)
                                                              : differenceText(change, number.metric));
  }
  box.marks.push_back({.kind = std::move(values), .clip = false});
  if (less) box.marks.push_back({.kind = std::move(differences), .clip = false});
  return cellOf(std::move(box));
}

// Axis titles of a row's cells: below them in a file, "long|short", and beside them in the window, rich.
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
  return {"", ""};  // labels explain them
}

// Text in the middle of a box without data.
TextMarks centredLines(const Texts& lines) {
  constexpr double kLine = 0.13;
  TextMarks marks;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    marks.x.push_back(0.5);
    marks.y.push_back(0.5 + kLine * (static_cast<double>(lines.size() - 1) / 2 - static_cast<double>(i)));
    marks.texts.push_back(richEscaped(lines[i]));
  }
  return marks;
}

Box boxWithout(const std::string& missing, const ColumnRoom& room) {
  Box box;
  box.frame = Frame::None;
  for (Axis* axis : {&box.x, &box.y}) axis->labels = axis->tickMarks = false;
  box.marks.push_back({.kind = centredLines(room.isTight() ? Texts{"\u2013"}
                                                           : brokenName(missing, std::max<std::size_t>(
                                                                                     12, room.characters()))),
                       .clip = false});
  return box;
}

// Head of a column: its look and its name, in as many lines as needed.
std::vector<LegendEntry> columnHead(const std::string& name, const SeriesStyle& style, bool baseline,
                                    const ColumnRoom& room) {
  constexpr std::size_t kLook = 5;      // width in characters
  const bool below = room.isStacked();  // the look has a line of its own
  Texts lines = brokenName(name, room.characters() - (below ? 0 : kLook));
  if (below) lines.insert(lines.begin(), "");
  if (baseline && lines.size() > 1) lines.emplace_back("(baseline)");
  std::vector<LegendEntry> head = {seriesEntry(richEscaped(lines.front()), style)};
  if (baseline && lines.size() == 1) head.back().detail = " (baseline)";
  for (std::size_t line = 1; line < lines.size(); ++line) {
    head.push_back(textEntry(richEscaped(lines[line])));
    head.back().beginsLine = true;
  }
  return head;
}

// Notes above a cell; split into lines or reduced to the first part where space is short.
std::vector<LegendEntry> cellNotes(const std::string& note, const ColumnRoom& room) {
  constexpr std::string_view kBetween = " \u00b7 ", kBold = "</b>";
  if (note.empty()) return {};
  if (!room.isStacked()) return {textEntry(note)};
  if (room.isTight()) {
    const std::size_t end = note.find(kBold);
    return end == std::string::npos ? std::vector<LegendEntry>()
                                    : std::vector{textEntry(note.substr(0, end + kBold.size()))};
  }
  std::vector<LegendEntry> notes;
  for (std::size_t first = 0; first != std::string::npos;) {
    const std::size_t end = note.find(kBetween, first);
    notes.push_back(textEntry(note.substr(first, end - first)));
    first = end == std::string::npos ? end : end + kBetween.size();
  }
  return notes;
}

Texts columnNames(const CompareMatrix& matrix, const ColumnRoom& room) {
  const Texts names = shownNames(matrix.columns);
  constexpr std::size_t kMaxLines = 5;
  const std::size_t longest = kMaxLines * room.characters();
  const auto fits = [&](const std::string& name) {
    const auto isWhole = [&](const std::string& line) { return characters(line) <= room.characters() + 1; };
    return characters(name) <= longest && std::ranges::all_of(brokenName(name, room.characters()), isWhole);
  };
  return std::ranges::all_of(names, fits) ? names : shortNames(names, longest);
}

// Keeps titles and labels once where they are equal for all columns.
void labelOnce(Box& box, const CompareMatrix& matrix, MatrixRow row, std::size_t column,
               const ColumnRoom& room) {
  // The first column of a difference has values.
  const std::size_t labelled = matrix.differs(row) && choosesDifferences(row) ? 1 : 0;
  const bool own = row == MatrixRow::Grid;  // layers and heads
  if (column > labelled && !own) box.y.labels = false;
  if (column == 0) return;
  if (room.isStacked()) box.x.title.clear();
  if (!room.isTight()) return;
  for (Axis* axis : {&box.x, &box.y}) {
    axis->labels = axis->tickMarks = false;
    axis->lastLabel.clear();
  }
}

}  // namespace

std::string differenceText(const MatrixEstimate& difference, const MetricInfo& metric) {
  if (!std::isfinite(difference.value)) return "";
  const std::string text = signedText(difference.value, metric);
  if (!difference.interval.known() || difference.verdict != kDifferent)
    return text + (difference.verdict.empty() ? "" : ", " + difference.verdict);
  return text + " [" + metricText(difference.interval.low, metric) + ", " +
         metricText(difference.interval.high, metric) + "]";
}

MatrixCell matrixCell(const CompareMatrix& matrix, MatrixRow row, std::size_t column,
                      const MatrixCursor& cursor) {
  return row == MatrixRow::Numbers ? numbersCell(matrix, column, ColumnRoom())
                                   : plottedCell(matrix, row, column, cursor);
}

namespace {

std::string kindText(const CompareMatrix& matrix) {
  return matrix.profiles.plasticity == ApKind::Aligned ? "aligned " : "";
}

}  // namespace

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
                : ColourScale{"maps", 0, 1, "mean " + kindText(matrix) + "PP"};
  return std::nullopt;
}

std::string matrixRowText(const CompareMatrix& matrix, MatrixRow row) {
  const std::string over = matrix.hasTextIntervals(row) ? ", 95\u2009% over texts" : "";
  const std::string less = matrix.differs(row) ? ", less the baseline" + over : "";
  const std::string of = matrix.profiles.showsHeads() ? ", matched head" : ", mean over heads";
  switch (row) {
    case MatrixRow::Grid:
      return matrix.metric.label + less;
    case MatrixRow::Plane:
      return "matched head";
    case MatrixRow::Map:
      return "mean " + kindText(matrix) + "PP" + less;
    case MatrixRow::Profile:
    case MatrixRow::Quintiles:
      return kindText(matrix) + "AP" + of + less;
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

Plot matrixPlot(const CompareMatrix& matrix, double width) {
  Plot whole;
  whole.columns = static_cast<int>(matrix.columns.size());
  whole.aligned = true;
  const ColumnRoom room = roomOf(matrix, width);
  const std::vector<SeriesStyle> styles = seriesStyles(matrix.columns);
  const Texts names = columnNames(matrix, room);
  bool first = true, anyMissing = false;
  for (const MatrixRow row : kMatrixRows) {
    if (!matrix.shows(row)) continue;
    for (std::size_t column = 0; column < matrix.columns.size(); ++column) {
      MatrixCell cell =
          row == MatrixRow::Numbers ? numbersCell(matrix, column, room) : matrixCell(matrix, row, column);
      Plot& plot = cell.plot;
      plot.oneLine = false;
      anyMissing = anyMissing || plot.boxes.empty();
      if (plot.boxes.empty()) plot.boxes.push_back(boxWithout(cell.missing, room));
      Box& box = plot.boxes.front();
      if (cell.missing.empty()) box.x.title = axesOf(row).below;
      if (column == 0 && row != MatrixRow::Numbers)
        box.y.title = titleOf(row) + ": " + matrixRowText(matrix, row) + "|" + titleOf(row);
      labelOnce(box, matrix, row, column, room);
      if (column + 1 == matrix.columns.size()) box.scale = matrixScale(matrix, row);
      plot.legend =
          first ? columnHead(names[column], styles[column], column == 0, room) : cellNotes(cell.note, room);
      whole.panels.push_back(std::move(plot));
    }
    first = false;
  }
  const bool tested = matrix.hasTextIntervals(MatrixRow::Numbers);
  if (matrix.shows(MatrixRow::Numbers) && room.isBrief())
    whole.legend.push_back(textEntry(
        std::string("numbers: ") + (room.isStacked() ? "below" : "beside") + " them their differences" +
        (tested ? ", in brackets where no difference is shown (95\u2009% over texts)" : "")));
  if (room.isTight() && anyMissing) whole.legend.push_back(textEntry("\u2013: not known"));
  return whole;
}

}  // namespace plastiscope
