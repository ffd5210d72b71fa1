#include "core/views/plane_data.h"

#include <algorithm>
#include <cmath>

#include <limits>
#include "core/base/error.h"
#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

template <typename Number>
double dot(const Number* vector, const std::vector<double>& axis) {
  double sum = 0;
  for (std::size_t c = 0; c < axis.size(); ++c) sum += static_cast<double>(vector[c]) * axis[c];
  return sum;
}

// Sums over the finite rows, centred on their means in a second pass.
struct LineFit {
  double meanT = 0, meanX = 0, slope = 0, r = kMissing;
  bool hasSlope = false;
};

LineFit fitLine(const std::vector<std::int32_t>& position, const std::vector<float>& x) {
  LineFit fit;
  double n = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) continue;
    fit.meanT += position[i];
    fit.meanX += static_cast<double>(x[i]);
    n += 1;
  }
  if (n == 0) return fit;
  fit.meanT /= n;
  fit.meanX /= n;
  double tt = 0, tx = 0, xx = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) continue;
    const double t = position[i] - fit.meanT, v = static_cast<double>(x[i]) - fit.meanX;
    tt += t * t;
    tx += t * v;
    xx += v * v;
  }
  fit.hasSlope = tt > 0;
  if (fit.hasSlope) fit.slope = tx / tt;
  if (tt > 0 && xx > 0) fit.r = tx / std::sqrt(tt * xx);
  return fit;
}

void summarise(PlaneRows& rows, std::int64_t window) {
  const LineFit x = fitLine(rows.position, rows.x), y = fitLine(rows.position, rows.y);
  rows.centroid = {x.meanX, y.meanX};
  rows.rX = x.r;
  rows.rY = y.r;
  rows.hasArrow = x.hasSlope && y.hasSlope;
  const auto end = static_cast<double>(window);
  rows.arrowStart = {x.meanX - x.slope * x.meanT, y.meanX - y.slope * y.meanT};
  rows.arrowEnd = {x.meanX + x.slope * (end - x.meanT), y.meanX + y.slope * (end - y.meanT)};
}

struct Span {
  double low = 0, high = 1;
};

Span spanOf(const PlaneData& data, std::vector<float> PlaneRows::*axis) {
  std::vector<float> values;
  values.reserve(data.query.size() + data.key.size());
  for (const PlaneRows* rows : {&data.query, &data.key}) {
    for (const float value : rows->*axis) {
      if (std::isfinite(value)) values.push_back(value);
    }
  }
  if (values.empty()) return {};
  const auto at = [&values](double share) {
    const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return static_cast<double>(values[static_cast<std::size_t>(place)]);
  };
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  Span span{static_cast<double>(*least), static_cast<double>(*most)};
  const Span middle{at(0.002), at(0.998)};
  double padding = 0.04;
  if (span.high - span.low > 2.5 * (middle.high - middle.low) && middle.high > middle.low) {
    span = middle;
    padding = 0.15;
  }
  const double size = span.high > span.low ? span.high - span.low : std::max(1.0, std::fabs(span.low));
  return {span.low - padding * size, span.high + padding * size};
}

PlaneRange planeRange(const PlaneData& data) {
  const Span x = spanOf(data, &PlaneRows::x), y = spanOf(data, &PlaneRows::y);
  PlaneRange range{x.low, x.high, y.low, y.high, 0};
  for (const PlaneRows* rows : {&data.query, &data.key}) {
    for (std::size_t i = 0; i < rows->size(); ++i) {
      const double px = static_cast<double>(rows->x[i]), py = static_cast<double>(rows->y[i]);
      if (std::isfinite(px) && !(px >= x.low && px <= x.high && py >= y.low && py <= y.high)) ++range.outside;
    }
  }
  return range;
}

// Squared length of a vector, and of its difference from the origin (empty: zero).
std::pair<double, double> squaresOf(const float* vector, const std::vector<double>& origin, std::size_t dim) {
  double square = 0, around = 0;
  for (std::size_t c = 0; c < dim; ++c) {
    const auto value = static_cast<double>(vector[c]);
    const double difference = origin.empty() ? value : value - origin[c];
    square += value * value;
    around += difference * difference;
  }
  return {square, around};
}

PlaneRows project(const CapturedRows& rows, const PlaneDirections& directions,
                  const std::vector<double>& origin) {
  PlaneRows out;
  out.position = rows.position;
  out.example = rows.example;
  const double originX = origin.empty() ? 0 : dot(origin.data(), directions.x);
  const double originY = origin.empty() ? 0 : dot(origin.data(), directions.y);
  const auto dim = static_cast<std::size_t>(rows.headDim);
  for (auto* values : {&out.x, &out.y, &out.norm, &out.rest}) values->reserve(rows.position.size());
  for (std::size_t i = 0; i < rows.position.size(); ++i) {
    const float* vector = rows.vectors.data() + i * dim;
    const auto x = static_cast<float>(dot(vector, directions.x) - originX);
    const auto y = static_cast<float>(dot(vector, directions.y) - originY);
    const bool finite = std::isfinite(x) && std::isfinite(y);
    const auto [square, around] = squaresOf(vector, origin, dim);
    const double inPlane =
        static_cast<double>(x) * static_cast<double>(x) + static_cast<double>(y) * static_cast<double>(y);
    const auto orMissing = [finite](double value) {
      return finite ? static_cast<float>(value) : std::numeric_limits<float>::quiet_NaN();
    };
    out.x.push_back(orMissing(static_cast<double>(x)));
    out.y.push_back(orMissing(static_cast<double>(y)));
    out.norm.push_back(orMissing(std::sqrt(square)));
    out.rest.push_back(orMissing(std::sqrt(std::max(0.0, around - inPlane))));
  }
  return out;
}

// Mean of queries and keys together, [head_dim].
std::vector<double> pooledMean(const CapturedRows& query, const CapturedRows& key) {
  const auto dim = static_cast<std::size_t>(query.headDim);
  std::vector<double> mean(dim, 0);
  double n = 0;
  for (const CapturedRows* rows : {&query, &key}) {
    for (std::size_t i = 0; i < rows->position.size(); ++i) {
      const float* vector = rows->vectors.data() + i * dim;
      if (!std::all_of(vector, vector + dim, [](float number) { return std::isfinite(number); })) continue;
      for (std::size_t c = 0; c < dim; ++c) mean[c] += static_cast<double>(vector[c]);
      n += 1;
    }
  }
  for (double& component : mean) component /= std::max(n, 1.0);
  return mean;
}

// When space is short the words are left out first, then the share; the correlations stay together.
std::string titleOf(const PlaneAxis& axis, double rQuery, double rKey) {
  const std::string letter = axis.name.substr(0, axis.name.find(", "));
  std::string share, signal;
  if (std::isfinite(axis.share)) {
    const double percent = 100 * axis.share;
    share = " \u00b7 " + fixedText(percent, percent < 9.95 ? 1 : 0) + "\u00a0%";
  }
  if (std::isfinite(rQuery)) signal += " \u00b7 <i>r</i><sub>Q</sub>\u00a0" + fixedText(rQuery, 2);
  if (std::isfinite(rKey)) signal += " \u00b7 <i>r</i><sub>K</sub>\u00a0" + fixedText(rKey, 2);
  if (share.empty() && signal.empty()) return axis.name;
  std::string title = axis.name + share + (share.empty() ? "" : " of variance") + signal;
  if (!share.empty() || letter != axis.name) title += "|" + letter + share + signal;
  if (!share.empty() && !signal.empty()) title += "|" + letter + signal;
  return title;
}

// Settings in which the two planes differ.
struct PlaneKind {
  const char *xAxis, *yAxis;  // names in the table axes
  const char *xName, *yName;
  bool centre;
};

PlaneData makePlane(const Study& study, HeadName head, const PlaneKind& kind) {
  PlaneData plane;
  plane.head = head;
  const StudyFacts facts = factsOf(study);
  plane.window = facts.window;
  plane.exampleIds = facts.exampleIds;
  plane.missing = whyNoRows(study, head);
  if (!plane.missing.empty()) return plane;
  const std::int64_t size = facts.headDimOf(head.layer);
  const PlaneDirections directions{axisOf(*study.analysis, head, kind.xAxis, size),
                                   axisOf(*study.analysis, head, kind.yAxis, size), kind.centre};
  if (directions.x.empty() || directions.y.empty()) {
    plane.missing = missingAxis(head, directions.x.empty() ? kind.xAxis : kind.yAxis);
    return plane;
  }
  plane = projectRows(rowsOf(study, head, RowSet::Query), rowsOf(study, head, RowSet::Key), directions,
                      facts.window);
  plane.head = head;
  plane.exampleIds = facts.exampleIds;
  plane.xAxis.name = kind.xName;
  plane.yAxis.name = kind.yName;
  return plane;
}

void finishTitles(PlaneData& plane, double xShare, double yShare) {
  plane.xAxis.share = xShare;
  plane.yAxis.share = yShare;
  plane.xAxis.title = titleOf(plane.xAxis, plane.query.rX, plane.key.rX);
  plane.yAxis.title = titleOf(plane.yAxis, plane.query.rY, plane.key.rY);
}

// Explained variance of one component of a head; NaN when the table lacks it.
double explainedVariance(const AnalysisFile& analysis, HeadName head, std::int64_t component) {
  const Table* table = analysis.find("components");
  if (table == nullptr) return kMissing;
  const NumberColumn number(*table, "component"), share(*table, "explained_variance_ratio");
  for (const RowRun& run : rowsIn({head, {}}, analysis, *table)) {
    for (std::size_t row = run.first; row < run.end; ++row) {
      if (number.index(row) == component) return share[row];
    }
  }
  return kMissing;
}

}  // namespace

CapturedRows rowsOf(const Study& study, HeadName head, RowSet set) {
  const bool ofKeys = set == RowSet::Key;
  return study.capture->rows(
      {head.layer, ofKeys ? head.head / factsOf(study).groupSize(head.layer) : head.head, set});
}

std::string missingAxis(HeadName head, const std::string& axis) {
  return head.text() + " has no axis " + axis + ": its rows do not determine one";
}

std::string whyNoRows(const Study& study, HeadName head) {
  if (!headRow(*study.analysis, head)) throw UsageError(head.text() + " was not captured");
  return study.capture == nullptr ? "The rows are in the capture, but only its analysis was opened" : "";
}

PlaneData projectRows(const CapturedRows& query, const CapturedRows& key, const PlaneDirections& directions,
                      std::int64_t window) {
  const std::size_t size = directions.x.size();
  if (query.headDim != static_cast<std::int64_t>(size) || key.headDim != query.headDim ||
      directions.y.size() != size) {
    throw InputError("capture and analysis do not belong together: vectors of " +
                     std::to_string(query.headDim) + " numbers, axes of " + std::to_string(size));
  }
  PlaneData plane;
  plane.window = window;
  const std::vector<double> origin = directions.centre ? pooledMean(query, key) : std::vector<double>();
  plane.query = project(query, directions, origin);
  plane.key = project(key, directions, origin);
  summarise(plane.query, window);
  summarise(plane.key, window);
  plane.range = planeRange(plane);
  return plane;
}

PlaneData makeAbPlane(const Study& study, HeadName head) {
  PlaneData plane =
      makePlane(study, head, {"a", "b", "<i>a</i>, position axis", "<i>b</i>, separation axis", false});
  const Table& heads = requiredTable(*study.analysis, "heads");
  const std::size_t row = *headRow(*study.analysis, head);
  finishTitles(plane, numberAt(heads, "var_frac_a", row), numberAt(heads, "var_frac_b", row));
  return plane;
}

PlaneData makePcaPlane(const Study& study, HeadName head) {
  PlaneData plane = makePlane(study, head, {"pc0", "pc1", "PC0", "PC1", true});
  finishTitles(plane, explainedVariance(*study.analysis, head, 0),
               explainedVariance(*study.analysis, head, 1));
  return plane;
}

std::string exampleLabel(const std::vector<std::string>& ids, std::int32_t example) {
  const auto place = static_cast<std::size_t>(example);
  return place < ids.size() ? ids[place] : std::to_string(example);
}

std::vector<double> axisOf(const AnalysisFile& analysis, HeadName head, const std::string& name,
                           std::int64_t headDim) {
  const Table& axes = requiredTable(analysis, "axes");
  const NumberColumn dimension(axes, "dimension"), value(axes, "value");
  const auto& names = textColumn(axes, "axis");
  std::vector<double> axis(static_cast<std::size_t>(headDim), kMissing);
  for (const RowRun& run : rowsIn({head, {}}, analysis, axes)) {
    for (std::size_t row = run.first; row < run.end; ++row) {
      if (names[row] == name) axis[static_cast<std::size_t>(dimension.index(row, headDim))] = value[row];
    }
  }
  return std::ranges::all_of(axis, [](double number) { return std::isfinite(number); })
             ? axis
             : std::vector<double>();
}

}  // namespace plastiscope
