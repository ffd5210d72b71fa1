// Cells of values along the window: profiles, losses, quintiles, each with one range for all columns.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/base/error.h"
#include "core/figures/matrix_cells.h"

namespace plastiscope {

namespace {

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

}  // namespace

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

}  // namespace plastiscope
