#include "core/compare/benchmark_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/joined.h"
#include "core/compare/measures.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

constexpr const char* kUsualPredictor = "ap_drop";
constexpr int kLineSteps = 40;
constexpr CorrelationOptions kCheap{.resamples = 0, .permutations = 0};  // points only

// ---- names

std::string lengthText(std::int64_t tokens) {
  return tokens >= 1024 && tokens % 1024 == 0 ? std::to_string(tokens / 1024) + "K" : std::to_string(tokens);
}

MetricInfo lengthPredictor() {
  MetricInfo metric = describeMetric("ap_overall");
  metric.column = "ap_at_length";
  metric.title = "AP at the length";
  metric.label = "AP in the bin up to the length";
  metric.meaning = "Plasticity of the query positions that end at the length of the score.";
  return metric;
}

// ---- groups

// Groups of scores in which at least one model has a value.
std::vector<ScoreGroup> groupsOf(const Benchmark& benchmark,
                                 const std::vector<const PredictorTable*>& tables) {
  std::vector<ScoreGroup> groups;
  const auto add = [&groups](const ScoreGroup& group) {
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  };
  for (const PredictorTable* table : tables) {
    for (const ScoreCorrelation& one : correlateBenchmark(*table, benchmark, kCheap)) {
      if (!one.models.empty()) add({one.suite, one.mode, one.length, false});
    }
  }
  for (const PredictorTable* table : tables) {
    for (const ScoreCorrelation& one : correlateLengths(*table, benchmark, kCheap)) {
      if (one.scope == "all") add({one.suite, one.mode, std::nullopt, true});
    }
  }
  return groups;
}

Benchmark onlyGroup(Benchmark benchmark, const ScoreGroup& group) {
  std::erase_if(benchmark.scores, [&group](const BenchmarkScore& score) {
    const bool same = score.suite == group.suite && score.mode == group.mode;
    return !same || (!group.byLength && score.length != group.length);
  });
  return benchmark;
}

// ---- points

// Points of all predictors in one group.
class Points {
 public:
  Points(const Benchmark& benchmark, const ScoreGroup& group, const OwnModels& own)
      : m_benchmark(onlyGroup(benchmark, group)),
        m_group(group),
        m_own(own),
        m_thesis(referencePredictors()) {}

  std::vector<BenchmarkPoint> of(const std::string& column) const {
    std::vector<BenchmarkPoint> points;
    add(points, m_thesis, column, false);
    add(points, m_own.predictors, column, true);
    countOnce(points);
    return points;
  }

 private:
  void add(std::vector<BenchmarkPoint>& points, const PredictorTable& table, const std::string& column,
           bool own) const {
    const auto place = [&](const ScoreCorrelation& one, std::size_t i) {
      const std::string& model = one.models[i];
      BenchmarkPoint point{model, model, "", one.families[i], {}, one.x[i], one.y[i], own, true};
      if (m_group.byLength) point.length = one.lengths[i];
      if (own) {
        const std::size_t row = rowOf(model);
        if (row < m_own.families.size()) point.family = m_own.families[row];
      } else if (const auto reference = recogniseReferenceModel(model)) {
        point.title = reference->title;
        point.family = reference->family;
      }
      points.push_back(std::move(point));
    };
    const auto all = m_group.byLength ? correlateLengths(table, m_benchmark, kCheap)
                                      : correlateBenchmark(table, m_benchmark, kCheap);
    for (const ScoreCorrelation& one : all) {
      if (m_group.byLength ? one.scope != "all" : one.predictor != column) continue;
      for (std::size_t i = 0; i < one.models.size(); ++i) place(one, i);
    }
  }

  std::size_t rowOf(const std::string& model) const {
    const auto& rows = m_own.predictors.rows;
    return static_cast<std::size_t>(
        std::find_if(rows.begin(), rows.end(), [&](const PredictorRow& row) { return row.model == model; }) -
        rows.begin());
  }

  // Counts each model once: the thesis' numbers first, then the first own analysis.
  void countOnce(std::vector<BenchmarkPoint>& points) const {
    std::set<std::pair<std::string, std::optional<std::int64_t>>> seen;
    for (BenchmarkPoint& point : points) {
      std::vector<std::string> names = {point.model};
      if (const std::size_t row = rowOf(point.model); point.own && row < m_own.predictors.rows.size()) {
        const auto& aliases = m_own.predictors.rows[row].aliases;
        names.insert(names.end(), aliases.begin(), aliases.end());
      }
      for (const std::string& name : names) {
        if (point.own && seen.contains({name, point.length})) point.counted = false;
      }
      for (const std::string& name : names) seen.insert({name, point.length});
    }
  }

  Benchmark m_benchmark;
  ScoreGroup m_group;
  const OwnModels& m_own;
  PredictorTable m_thesis;
};

std::vector<const BenchmarkPoint*> countedPoints(const std::vector<BenchmarkPoint>& points) {
  std::vector<const BenchmarkPoint*> counted;
  for (const BenchmarkPoint& point : points) {
    if (point.counted) counted.push_back(&point);
  }
  return counted;
}

PredictorResult resultOf(const MetricInfo& metric, const std::vector<BenchmarkPoint>& points) {
  ScoreCorrelation all;
  for (const BenchmarkPoint* point : countedPoints(points)) {
    all.x.push_back(point->x);
    all.y.push_back(point->y);
    all.models.push_back(point->model);
    all.families.push_back(point->replicate);
    if (point->length) all.lengths.push_back(*point->length);
  }
  all.correlatePoints({});
  return {metric, all.result, all.byFamily};
}

// Sets the adjusted p of all predictors. `points`: [predictor].
void adjust(std::vector<PredictorResult>& predictors,
            const std::vector<std::vector<BenchmarkPoint>>& points) {
  std::map<std::pair<std::string, bool>, std::size_t> models;
  std::vector<double> scores;
  for (const auto& ofPredictor : points) {
    for (const BenchmarkPoint* point : countedPoints(ofPredictor)) {
      if (models.emplace(std::pair(point->model, point->own), scores.size()).second)
        scores.push_back(point->y);
    }
  }
  std::vector<std::vector<double>> values;
  for (const auto& ofPredictor : points) {
    values.emplace_back(scores.size(), kMissing);
    for (const BenchmarkPoint* point : countedPoints(ofPredictor))
      values.back()[models.at({point->model, point->own})] = point->x;
  }
  const std::vector<double> p = adjustedP(values, scores, {});
  for (std::size_t i = 0; i < p.size(); ++i) predictors[i].adjustedP = p[i];
}

void finishPoints(BenchmarkData& data) {
  const PredictorResult found = resultOf(data.predictor, data.points);
  data.result = found.result;
  data.byFamily = found.byFamily;
  std::vector<double> x, y;
  for (BenchmarkPoint& point : data.points) {
    if (!point.counted) continue;
    point.without = data.result.leaveOneOut[x.size()];
    x.push_back(point.x);
    y.push_back(point.y);
  }
  data.line = std::isfinite(data.result.pearson) ? regressionOf(x, y) : RegressionLine();
}

// ---- what was asked for

[[noreturn]] void failWithoutModels(const Benchmark& benchmark, const OwnModels& own) {
  std::string names = joined(referenceModels(), &ReferenceModel::title), found;
  for (const PredictorRow& row : own.predictors.rows) names += ", " + row.model;
  std::set<std::string> given;
  for (const BenchmarkScore& score : benchmark.scores) {
    if (given.insert(score.model).second && given.size() <= 5)
      found += (found.empty() ? "" : ", ") + score.model;
  }
  throw UsageError(benchmark.title + ": expected scores of the thesis' models or of the open analyses (" +
                   names + "), found " + found + (given.size() > 5 ? ", ..." : ""));
}

ScoreGroup chosenGroup(const Benchmark& benchmark, const std::vector<ScoreGroup>& groups,
                       const OwnModels& own, const std::string& wanted) {
  if (groups.empty()) failWithoutModels(benchmark, own);
  if (wanted.empty()) {
    std::size_t most = 0;
    ScoreGroup best = groups.front();
    for (const ScoreGroup& group : groups) {
      const std::size_t count = Points(benchmark, group, own).of(kUsualPredictor).size();
      if (count > most) {
        most = count;
        best = group;
      }
    }
    return best;
  }
  if (const auto found = std::ranges::find(groups, wanted, &ScoreGroup::text); found != groups.end())
    return *found;
  throw UsageError(benchmark.title + " has no scores \"" + wanted +
                   "\" (known: " + joined(groups, &ScoreGroup::text) + ")");
}

std::string requiredPredictor(const std::string& wanted) {
  if (wanted.empty()) return kUsualPredictor;
  const std::vector<std::string> known = referencePredictors().columns;
  if (std::ranges::count(known, wanted) > 0) return wanted;
  throw UsageError("unknown predictor \"" + wanted + "\"" + didYouMean(wanted, known) +
                   " (known: " + joined(known) + ")");
}

}  // namespace

std::string ScoreGroup::text() const {
  std::string text = suite + "/" + mode + "/" +
                     (byLength ? "lengths"
                      : length ? std::to_string(*length)
                               : "");
  while (text.ends_with('/')) text.pop_back();
  return text.empty() ? "scores" : text;
}

std::string ScoreGroup::title() const {
  std::string text = suite.empty() ? "scores" : suite, words = mode;
  std::replace(text.begin(), text.end(), '_', ' ');
  std::replace(words.begin(), words.end(), '_', '-');
  if (!words.empty()) text += ", " + words;
  if (length) text += ", " + lengthText(*length);
  return byLength ? text + ", by length" : text;
}

std::string BenchmarkPoint::label() const {
  return length ? title + " " + lengthText(*length) : title;
}

std::vector<MetricInfo> benchmarkPredictors() {
  std::vector<MetricInfo> list;
  for (const std::string& column : referencePredictors().columns) list.push_back(describeMeasure(column));
  return list;
}

BenchmarkData makeBenchmarkData(const Benchmark& benchmark, const OwnModels& own,
                                const BenchmarkChoice& choice) {
  const std::string column = requiredPredictor(choice.predictor);
  const PredictorTable thesis = referencePredictors();
  BenchmarkData data;
  data.title = benchmark.title;
  data.content = benchmark.content;
  data.source = benchmark.name;
  data.caveats = benchmark.caveats;
  data.groups = groupsOf(benchmark, {&thesis, &own.predictors});
  data.group = chosenGroup(benchmark, data.groups, own, choice.group);
  const Points points(benchmark, data.group, own);
  data.predictor = data.group.byLength ? lengthPredictor() : describeMeasure(column);
  data.points = points.of(data.predictor.column);
  finishPoints(data);
  if (data.group.byLength) {
    data.predictors.push_back({data.predictor, data.result, data.byFamily});
  } else {
    std::vector<std::vector<BenchmarkPoint>> ofPredictors;
    for (const MetricInfo& metric : benchmarkPredictors()) {
      std::vector<BenchmarkPoint> placed = points.of(metric.column);
      if (placed.empty() && metric.column != column) continue;
      data.predictors.push_back(resultOf(metric, placed));
      ofPredictors.push_back(std::move(placed));
    }
    adjust(data.predictors, ofPredictors);
  }
  for (const PredictorRow& row : own.predictors.rows) {
    const bool there =
        std::any_of(data.points.begin(), data.points.end(),
                    [&row](const BenchmarkPoint& point) { return point.own && point.model == row.model; });
    if (!there) data.withoutScore.push_back(row.model);
  }
  return data;
}

Table tableOf(const BenchmarkData& data) {
  TableBuilder table("benchmark",
                     {texts("part"), texts("name"), texts("family"), texts("origin"), texts("counted"),
                      numbers("x"), numbers("y"), numbers("low"), numbers("high")});
  for (const BenchmarkPoint& point : data.points)
    table.row({"point", point.label(), point.family, point.own ? "own" : "reference", yesNo(point.counted),
               point.x, point.y, kMissing, kMissing});
  for (const BenchmarkPoint& point : data.points) {
    if (std::isfinite(point.without))
      table.row({"leave_one_out", point.label(), "", "", "", kMissing, point.without, kMissing, kMissing});
  }
  if (data.line.known()) {
    const auto [low, high] = std::minmax_element(data.points.begin(), data.points.end(),
                                                 [](const auto& a, const auto& b) { return a.x < b.x; });
    for (int i = 0; i <= kLineSteps; ++i) {
      const double x = low->x + (high->x - low->x) * i / kLineSteps, y = data.line.at(x),
                   half = data.line.halfWidth(x);
      table.row({"line", "", "", "", "", x, y, y - half, y + half});
    }
  }
  const Correlation& r = data.result;
  const auto statistic = [&](const char* name, double value, const Interval& interval) {
    table.row({"statistic", name, "", "", "", kMissing, value, interval.low, interval.high});
  };
  statistic("n", static_cast<double>(r.n), {});
  statistic("pearson", r.pearson, r.pearsonInterval);
  statistic("spearman", r.spearman, {});
  statistic("p", r.permutationP, {});
  statistic("slope", r.slope, r.slopeInterval);
  statistic("intercept", r.intercept, {});
  const auto families = data.byFamily.names.size();
  statistic("families", families == 0 ? kMissing : static_cast<double>(families), data.byFamily.interval);
  statistic("p_families", data.byFamily.p, {});
  const auto drawn = std::ranges::find(data.predictors, data.predictor.column,
                                       [](const PredictorResult& one) { return one.metric.column; });
  statistic("p_adjusted", drawn == data.predictors.end() ? kMissing : drawn->adjustedP, {});
  return table.take();
}

}  // namespace plastiscope
