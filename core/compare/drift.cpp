#include "core/compare/drift.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/settings.h"
#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/compare/measures.h"
#include "core/compare/text_inference.h"

namespace plastiscope {

namespace {

constexpr double kDegrees = 57.29577951308232;  // per radian

// Checks that two captures have the same rows; errors name the difference.
class SameStudy {
 public:
  SameStudy(const CaptureFile& first, const CaptureFile& second)
      : m_file(second.path()), m_first(first.info()), m_second(second.info()) {}

  void require() const {
    same("window", m_first.window, m_second.window);
    same("head size", m_first.headDim, m_second.headDim);
    same("query heads", m_first.queryHeads, m_second.queryHeads);
    same("key heads", m_first.keyHeads, m_second.keyHeads);
    if (m_first.point != m_second.point) fail("capture point", m_first.point, m_second.point);
    requireTexts();
    requireHeads();
  }

 private:
  [[noreturn]] void fail(const std::string& place, const std::string& expected,
                         const std::string& found) const {
    throw InputError({m_file, place, expected + " as in the first capture", found});
  }
  void same(const std::string& place, std::int64_t first, std::int64_t second) const {
    if (first != second) fail(place, withCommas(first), withCommas(second));
  }
  void requireTexts() const {
    same("texts", static_cast<std::int64_t>(m_first.examples.size()),
         static_cast<std::int64_t>(m_second.examples.size()));
    for (std::size_t i = 0; i < m_first.examples.size(); ++i) {
      const CaptureExampleInfo &a = m_first.examples[i], &b = m_second.examples[i];
      if (a.id != b.id) fail("text " + std::to_string(i), "\"" + a.id + "\"", "\"" + b.id + "\"");
      if (a.tokens != b.tokens || a.sha256 != b.sha256)
        fail("text \"" + a.id + "\"", "the same tokens", "other tokens");
    }
  }
  void requireHeads() const {
    const auto key = [](const CaptureLayerInfo& layer) {
      return std::tie(layer.layer, layer.queryHeads, layer.keyHeads);
    };
    const bool equal =
        std::equal(m_first.layerInfos.begin(), m_first.layerInfos.end(), m_second.layerInfos.begin(),
                   m_second.layerInfos.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); });
    if (!equal) fail("heads", "the same heads", "other heads");
  }

  const std::filesystem::path& m_file;
  const CaptureInfo &m_first, &m_second;
};

std::string nameOf(const RowPlace& place) {
  return (place.set == RowSet::Query ? "query L" : "key L") + std::to_string(place.layer) + "H" +
         std::to_string(place.head);
}

void requireSameRows(const CapturedRows& a, const CapturedRows& b, const CaptureFile& second,
                     const RowPlace& place) {
  const auto fail = [&](const std::string& expected, const std::string& found) {
    throw InputError({second.path(), nameOf(place), expected + " as in the first capture", found});
  };
  if (a.headDim != b.headDim) fail("vectors of " + std::to_string(a.headDim), std::to_string(b.headDim));
  if (a.position.size() != b.position.size())
    fail(withCommas(static_cast<long long>(a.position.size())) + " rows",
         withCommas(static_cast<long long>(b.position.size())));
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    if (a.position[i] == b.position[i] && a.example[i] == b.example[i]) continue;
    fail("in row " + std::to_string(i) + " position " + std::to_string(a.position[i]) + " of text " +
             std::to_string(a.example[i]),
         "position " + std::to_string(b.position[i]) + " of text " + std::to_string(b.example[i]));
  }
}

struct RowDrift {
  double angle, normChange, squares, differenceSquares;
};

RowDrift driftOfRow(const float* a, const float* b, std::size_t d) {
  double aa = 0, bb = 0, dd = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double x = a[j], y = b[j];
    aa += x * x;
    bb += y * y;
    dd += (y - x) * (y - x);
  }
  const double normA = std::sqrt(aa), normB = std::sqrt(bb);
  double apart = 0, together = 0;  // |u - v|^2 and |u + v|^2 of the unit vectors: exact for small angles too
  for (std::size_t j = 0; j < d; ++j) {
    const double u = a[j] / normA, v = b[j] / normB;
    apart += (u - v) * (u - v);
    together += (u + v) * (u + v);
  }
  return {2 * std::atan2(std::sqrt(apart), std::sqrt(together)) * kDegrees, std::abs(normB - normA) / normA,
          aa, dd};
}

void addTo(TextDrift& sums, const TextDrift& more) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += more[i];
}

double largestOf(const std::vector<double>& values) {
  return values.empty() ? kMissing : *std::max_element(values.begin(), values.end());
}

// Rows of several heads combined.
struct LayerDrift {
  std::int64_t heads = 0, rows = 0, skipped = 0;
  double angles = 0, changes = 0, maxAngle = kMissing, maxChange = kMissing, maxError = kMissing;
  double squares = 0, differenceSquares = 0;
  std::vector<TextDrift> texts;
  void add(const HeadDrift& head) {
    ++heads;
    texts.resize(std::max(texts.size(), head.texts.size()));
    for (std::size_t text = 0; text < head.texts.size(); ++text) addTo(texts[text], head.texts[text]);
    skipped += head.skipped;
    if (head.rows == 0) return;
    rows += head.rows;
    angles += static_cast<double>(head.rows) * head.meanAngle;
    changes += static_cast<double>(head.rows) * head.meanNormChange;
    maxAngle = std::fmax(maxAngle, head.maxAngle);
    maxChange = std::fmax(maxChange, head.maxNormChange);
    maxError = std::fmax(maxError, head.maxError);
    squares += head.squares;
    differenceSquares += head.differenceSquares;
  }
};

double ratioOf(double sum, double of) {
  return of > 0 ? sum / of : kMissing;
}

// Jackknife interval of a measure over texts, leaving out groups of them.
Interval intervalOverTexts(const std::vector<TextDrift>& texts, double (*measure)(const TextDrift&)) {
  const auto most = static_cast<std::size_t>(AnalysisSettings().jackknifeGroups);
  std::vector<TextDrift> ofGroups(std::min(texts.size(), most));
  std::vector<std::size_t> group;
  for (std::size_t text = 0; text < texts.size(); ++text) {
    group.push_back(text % ofGroups.size());
    addTo(ofGroups[group.back()], texts[text]);
  }
  const auto groups = std::make_shared<const TextGroups>(dealtTexts({}, group));
  const TextValue drift = groups->known() ? valueOfSums(ofGroups, groups, measure) : TextValue();
  return testOf(differenceOf(TextValue{0, std::vector<double>(drift.apart.size()), groups}, drift)).interval;
}

const DriftMeasure& requiredMeasure(const std::string& column) {
  std::vector<std::string> known;
  for (const DriftMeasure& measure : driftMeasures()) {
    if (measure.column == column) return measure;
    known.push_back(measure.column);
  }
  throw UsageError("drift has no " + column + "; did you mean " + nearestName(column, known) + "?");
}

}  // namespace

double HeadDrift::relativeRms() const {
  return std::sqrt(ratioOf(differenceSquares, squares));
}

std::vector<RowPlace> driftPlaces(const CaptureFile& first, const CaptureFile& second) {
  SameStudy(first, second).require();
  std::vector<RowPlace> places;
  for (const CaptureLayerInfo& layer : first.info().layerInfos) {
    for (const std::int64_t head : layer.queryHeads) places.push_back({layer.layer, head, RowSet::Query});
    for (const std::int64_t head : layer.keyHeads) places.push_back({layer.layer, head, RowSet::Key});
  }
  return places;
}

HeadDrift driftOf(const CaptureFile& first, const CaptureFile& second, const RowPlace& place) {
  const CapturedRows a = first.rows(place);
  const CapturedRows b = second.rows(place);
  requireSameRows(a, b, second, place);
  HeadDrift drift;
  drift.layer = place.layer;
  drift.head = place.head;
  drift.kind = place.set == RowSet::Query ? "query" : "key";
  drift.texts.resize(first.info().examples.size());
  const auto d = static_cast<std::size_t>(a.headDim);
  std::vector<double> angles, changes, squares, differences, errors;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    const RowDrift row = driftOfRow(a.vectors.data() + i * d, b.vectors.data() + i * d, d);
    if (!std::isfinite(row.angle) || !std::isfinite(row.normChange)) {
      ++drift.skipped;
      continue;
    }
    angles.push_back(row.angle);
    changes.push_back(row.normChange);
    squares.push_back(row.squares);
    differences.push_back(row.differenceSquares);
    errors.push_back(std::sqrt(row.differenceSquares / row.squares));
    const auto text = static_cast<std::size_t>(a.example[i]);
    if (text >= drift.texts.size()) continue;
    addTo(drift.texts[text], {1, row.angle, row.normChange, row.squares, row.differenceSquares});
  }
  drift.rows = static_cast<std::int64_t>(angles.size());
  drift.meanAngle = meanOfPresent(angles);
  drift.maxAngle = largestOf(angles);
  drift.meanNormChange = meanOfPresent(changes);
  drift.maxNormChange = largestOf(changes);
  drift.medianError = spreadOf(errors).median;
  drift.maxError = largestOf(errors);
  drift.squares = sumOf(squares);
  drift.differenceSquares = sumOf(differences);
  return drift;
}

Table driftHeadsTable(const std::vector<HeadDrift>& heads) {
  TableBuilder table("drift_heads",
                     {integers("layer"), integers("head"), texts("kind"), integers("rows"),
                      integers("skipped"), numbers("mean_angle"), numbers("largest_angle"),
                      numbers("mean_norm_change"), numbers("largest_norm_change"), numbers("relative_rms"),
                      numbers("median_relative_error"), numbers("largest_relative_error")});
  for (const HeadDrift& head : heads) {
    table.row({head.layer, head.head, head.kind, head.rows, head.skipped, head.meanAngle, head.maxAngle,
               head.meanNormChange, head.maxNormChange, head.relativeRms(), head.medianError, head.maxError});
  }
  return table.take();
}

Table driftTable(const std::vector<HeadDrift>& heads) {
  std::map<std::pair<std::int64_t, std::string>, LayerDrift> layers;
  for (const HeadDrift& head : heads) layers[{head.layer, head.kind}].add(head);
  TableBuilder table(
      "drift", {integers("layer"), texts("kind"), integers("heads"), integers("rows"), integers("skipped"),
                numbers("mean_angle"), numbers("largest_angle"), numbers("mean_norm_change"),
                numbers("largest_norm_change"), numbers("relative_rms"), numbers("largest_relative_error"),
                numbers("mean_angle_low"), numbers("mean_angle_high"), numbers("mean_norm_change_low"),
                numbers("mean_norm_change_high"), numbers("relative_rms_low"), numbers("relative_rms_high"),
                texts("interval_over")});
  for (const auto& [place, layer] : layers) {
    const auto rows = static_cast<double>(layer.rows);
    using Sums = const TextDrift&;
    const Interval angle = intervalOverTexts(layer.texts, [](Sums of) { return ratioOf(of[1], of[0]); }),
                   change = intervalOverTexts(layer.texts, [](Sums of) { return ratioOf(of[2], of[0]); }),
                   rms = intervalOverTexts(layer.texts,
                                           [](Sums of) { return std::sqrt(ratioOf(of[4], of[3])); });
    table.row({place.first, place.second, layer.heads, layer.rows, layer.skipped, ratioOf(layer.angles, rows),
               layer.maxAngle, ratioOf(layer.changes, rows), layer.maxChange,
               std::sqrt(ratioOf(layer.differenceSquares, layer.squares)), layer.maxError, angle.low,
               angle.high, change.low, change.high, rms.low, rms.high,
               overName(angle, IntervalOver::ByTexts)});
  }
  return table.take();
}

std::span<const DriftMeasure> driftMeasures() {
  static const DriftMeasure kMeasures[] = {
      {"median_relative_error", "relative error, median", "",
       [](const HeadDrift& head) { return head.medianError; }},
      {"largest_relative_error", "relative error, largest", "",
       [](const HeadDrift& head) { return head.maxError; }},
      {"relative_rms", "relative error, root mean square", "",
       [](const HeadDrift& head) { return head.relativeRms(); }},
      {"mean_angle", "angle, mean", "degrees", [](const HeadDrift& head) { return head.meanAngle; }},
      {"mean_norm_change", "change of length, mean", "",
       [](const HeadDrift& head) { return head.meanNormChange; }},
  };
  return kMeasures;
}

HeadGridData driftGrid(const std::vector<HeadDrift>& drift, const DriftChoice& choice, std::int64_t layers,
                       std::int64_t heads) {
  const DriftMeasure& measure = requiredMeasure(choice.column);
  HeadGridData grid;
  grid.metric.column = measure.column;
  grid.metric.title = grid.metric.label = measure.title;
  grid.metric.unit = measure.unit;
  grid.layers = layers;
  grid.heads = heads;
  grid.cells.resize(static_cast<std::size_t>(layers * heads));
  Extent extent;
  for (const HeadDrift& head : drift) {
    if (head.kind != choice.kind || head.layer >= layers || head.head >= heads) continue;
    HeadGridCell& cell = grid.cells[static_cast<std::size_t>(head.layer * heads + head.head)];
    cell.captured = true;
    cell.value = measure.of(head);
    extent.add(cell.value);
    ++(std::isfinite(cell.value) ? grid.shown : grid.missing);
  }
  grid.notCaptured = layers * heads - grid.shown - grid.missing;
  grid.low = 0;
  grid.high = extent.high > 0 ? extent.high : 1;
  return grid;
}

}  // namespace plastiscope
